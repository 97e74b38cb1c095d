import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import type { KeyScope } from '../../../../client/index.ts';
import { icon } from '../../shared/icons.tsx';
import { createKey } from '../data/actions/keys.ts';
import { problemsFrom, tidyName } from '../data/forms/fields.ts';
import { isOffline, shop } from '../session.ts';
import { type Choice, offeredBy, scopesOf } from './scope-choice.ts';
import { ScopeTicks } from './scope-ticks.tsx';

const DAY_MS = 24 * 60 * 60 * 1000;
const ENDS = { '90': 'After 90 days', '365': 'After a year', '': 'Never' } as const;
const FIRST: readonly KeyScope[] = ['pets:read', 'store:read', 'store:write'];

/** What is wrong with a field, and with the form as a whole. */
interface KeyProblems {
  readonly name?: string;
  readonly scopes?: string;
  readonly form?: string | undefined;
}

/** Makes a key for a colleague or a program. It allows only what the key of this session allows. */
export function NewKeyForm(): JSX.Element {
  const options = offeredBy(shop().api.key.scopes);
  const choice = useSignal<Choice>(new Set(options.filter((scope) => FIRST.includes(scope))));
  const problems = useSignal<KeyProblems>({});
  const isBusy = useSignal(false);
  const name = useRef<HTMLInputElement>(null);
  const allowed = useRef<HTMLFieldSetElement>(null);
  const ends = useRef<HTMLSelectElement>(null);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (isBusy.peek() || isOffline() || !name.current) return;
    const wanted = tidyName(name.current.value);
    const scopes = scopesOf(choice.peek());
    problems.value = {
      ...(wanted === '' && { name: 'Say who or what it is for.' }),
      ...(scopes.length === 0 && { scopes: 'Choose what it allows.' }),
    };
    if (problems.peek().name !== undefined) return name.current.focus();
    if (problems.peek().scopes !== undefined) return allowed.current?.querySelector('input')?.focus();
    isBusy.value = true;
    try {
      await createKey(shop(), { name: wanted, scopes, ...endOf(ends.current?.value ?? '') });
      name.current.value = '';
    } catch (error) {
      problems.value = { form: problemsFrom(error, 'look at the list first, the key may be there').form };
    } finally {
      isBusy.value = false;
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
          aria-invalid={problems.value.name !== undefined}
          aria-describedby="key-name-problem"
        />
        <p id="key-name-problem" class="problem" role="alert">
          {problems.value.name}
        </p>
      </div>
      <fieldset ref={allowed} aria-describedby="key-scopes-problem">
        <legend class="label">What it allows</legend>
        <ScopeTicks
          id="new-key"
          options={options}
          choice={choice}
          isInvalid={problems.value.scopes !== undefined}
        />
        <p id="key-scopes-problem" class="problem" role="alert">
          {problems.value.scopes}
        </p>
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
      <p class="problem" role="alert">
        {problems.value.form}
      </p>
      <button type="submit" class="button main" aria-disabled={isBusy.value || isOffline()}>
        {isBusy.value ? 'Creating…' : 'Create key'}
      </button>
    </form>
  );
}

const endOf = (days: string): { expiresAt?: string } =>
  days === '' ? {} : { expiresAt: new Date(Date.now() + Number(days) * DAY_MS).toISOString() };
