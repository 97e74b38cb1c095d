import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import type { KeyScope } from '../../../../client/index.ts';
import { icon } from '../../shared/icons.tsx';
import { problemsFrom, tidyName } from '../animals/values.ts';
import { createKey } from '../data/keys.ts';
import { allows } from '../data/permissions.ts';
import { session } from '../data/session.ts';
import { offeredScopes, scopeWords } from '../parts/scopes.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const ENDS = { '90': 'After 90 days', '365': 'After a year', '': 'Never' } as const;
const FIRST: readonly KeyScope[] = ['pets:read', 'store:read', 'store:write'];

/** Makes a key for a colleague or a program. It can open only what the key of this session opens. */
export function NewKeyForm(): JSX.Element {
  const ours = session.value?.key.scopes ?? [];
  const offered: readonly KeyScope[] = [
    ...offeredScopes.filter((scope) => allows(ours, scope)),
    ...(ours.includes('*') ? (['*'] as const) : []),
  ];
  const chosen = useSignal<ReadonlySet<KeyScope>>(new Set(offered.filter((scope) => FIRST.includes(scope))));
  const problem = useSignal<string | undefined>(undefined);
  const busy = useSignal(false);
  const name = useRef<HTMLInputElement>(null);
  const ends = useRef<HTMLSelectElement>(null);
  const toggle = (scope: KeyScope) => {
    const next = new Set(chosen.peek());
    if (!next.delete(scope)) next.add(scope);
    chosen.value = next;
  };
  const submit = async (event: Event) => {
    event.preventDefault();
    if (busy.peek() || !name.current) return;
    const wanted = tidyName(name.current.value);
    const scopes = chosen.peek().has('*') ? (['*'] as const) : [...chosen.peek()];
    problem.value =
      wanted === ''
        ? 'Say who or what it is for.'
        : scopes.length === 0
          ? 'Choose what it allows.'
          : undefined;
    if (problem.peek()) return name.current.focus();
    busy.value = true;
    try {
      await createKey({ name: wanted, scopes, ...endOf(ends.current?.value ?? '') });
      name.current.value = '';
    } catch (error) {
      problem.value = problemsFrom(error, 'look at the list first, the key may be there').form;
    } finally {
      busy.value = false;
    }
  };
  return (
    <form class="card side form" onSubmit={submit} noValidate aria-labelledby="new-key">
      <h2 id="new-key">New key</h2>
      <div class="field">
        <label class="label" for="key-name">
          Who or what is it for?
        </label>
        <input
          ref={name}
          id="key-name"
          class="input"
          placeholder="till 4"
          autocomplete="off"
          maxLength={100}
          aria-describedby="key-problem"
        />
      </div>
      <fieldset class="checks">
        <legend class="label">What it allows</legend>
        {offered.map((scope) => (
          <div class="check" key={scope}>
            <input
              id={`scope-${scope}`}
              type="checkbox"
              checked={chosen.value.has(scope) || chosen.value.has('*')}
              onChange={() => toggle(scope)}
            />
            <label for={`scope-${scope}`}>{scopeWords[scope]}</label>
            {scope === 'keys:write' ? <p class="hint">Only keys that allow no more than this one.</p> : null}
          </div>
        ))}
      </fieldset>
      <div class="field">
        <label class="label" for="key-ends">
          Ends
        </label>
        <span class="select">
          <select ref={ends} id="key-ends" class="input">
            {Object.entries(ENDS).map(([days, text]) => (
              <option key={days} value={days} selected={days === '90'}>
                {text}
              </option>
            ))}
          </select>
          {icon('down')}
        </span>
      </div>
      <p id="key-problem" class="problem" role="alert">
        {problem.value}
      </p>
      <button type="submit" class="button main" aria-disabled={busy.value}>
        {busy.value ? 'Creating…' : 'Create key'}
      </button>
    </form>
  );
}

const endOf = (days: string): { expiresAt?: string } =>
  days === '' ? {} : { expiresAt: new Date(Date.now() + Number(days) * DAY_MS).toISOString() };
