import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { icon } from '../../shared/icons.tsx';
import { shop } from '../session.ts';
import { asking, runSeveral } from './selecting.ts';

/** As long as the service allows a reason to be. */
const REASON_LENGTH = 200;

/** Where the selected animals are moved to, or why they are removed: asked in the bar, which keeps its place. */
export function SelectionQuestion({ kind }: { readonly kind: 'move' | 'remove' }): JSX.Element {
  const form = useRef<HTMLFormElement>(null);
  const answer = useSignal('');
  useEffect(() => form.current?.querySelector<HTMLElement>('.input')?.focus(), []);
  const submit = (event: Event) => {
    event.preventDefault();
    const text = answer.peek().trim();
    if (kind === 'remove') runSeveral({ kind, reason: text === '' ? undefined : text });
    else if (text !== '') runSeveral({ kind, categoryId: BigInt(text) });
  };
  const typed = (event: Event) => {
    answer.value = (event.target as HTMLInputElement | HTMLSelectElement).value;
  };
  return (
    <form ref={form} class="selection-form" onSubmit={submit}>
      {kind === 'move' ? (
        <span class="select">
          <select class="input" aria-label="Move to" value={answer.value} onChange={typed}>
            <option value="">Move to…</option>
            {shop().categories.all.value.map(({ id, name }) => (
              <option key={`${id}`} value={`${id}`}>
                {name}
              </option>
            ))}
          </select>
          {icon('down')}
        </span>
      ) : (
        <input
          class="input"
          aria-label="Reason for removing them, optional"
          placeholder="Reason (optional)"
          autocomplete="off"
          maxLength={REASON_LENGTH}
          value={answer.value}
          onInput={typed}
        />
      )}
      <button type="submit" class="button main small" aria-disabled={kind === 'move' && answer.value === ''}>
        {kind === 'move' ? 'Move' : 'Remove'}
      </button>
      <button type="button" class="button plain small" onClick={() => (asking.value = undefined)}>
        Keep
      </button>
    </form>
  );
}
