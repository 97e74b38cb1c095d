import type { Signal } from '@preact/signals';
import type { JSX } from 'preact';
import type { KeyScope } from '../../../../client/index.ts';
import { scopeWords } from '../parts/scopes.ts';
import { type Choice, isChosen, toggle } from './scope-choice.ts';

interface ScopeTicksProps {
  /** The beginning of the ids of its fields. */
  readonly id: string;
  readonly options: readonly KeyScope[];
  readonly choice: Signal<Choice>;
  /** Whether what is not ticked is taken away from a key that has it. */
  readonly isNarrowing?: boolean;
  /** Whether something has to be ticked. */
  readonly isInvalid?: boolean;
}

/** Scopes as sentences, to be ticked. */
export function ScopeTicks({
  id,
  options,
  choice,
  isNarrowing = false,
  isInvalid = false,
}: ScopeTicksProps): JSX.Element {
  return (
    <div class="checks">
      {options.map((scope) => {
        const isTicked = isChosen(choice.value, scope);
        return (
          <div class="check" key={scope}>
            <input
              id={`${id}-${scope}`}
              class="pick"
              type="checkbox"
              checked={isTicked}
              aria-invalid={isInvalid}
              onChange={() => (choice.value = toggle(choice.peek(), scope, options))}
            />
            <label for={`${id}-${scope}`} class={isNarrowing && !isTicked ? 'gone' : ''}>
              {scopeWords[scope]}
            </label>
            {scope === 'keys:write' && !isNarrowing ? (
              <span class="hint">Only keys that allow no more than this one.</span>
            ) : null}
          </div>
        );
      })}
    </div>
  );
}
