import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { restore } from '../data/actions/removal.ts';
import type { Animal } from '../data/cache/animal.ts';
import { keepFocus } from '../parts/keep-focus.ts';
import { short } from '../parts/wording.ts';
import { may, shop } from '../session.ts';
import { actionsOf, isFree, runAction } from './row-actions.ts';

interface RowProps {
  readonly animal: Animal;
  readonly class: string;
  readonly children: JSX.Element[];
}

/**
 * The row with its actions at the end. After a click on one of them their place stays empty until the pointer leaves the row, so that a
 * second click does no harm. A finger and the keyboard never leave: for those the actions follow the status at once.
 */
export function RowWithActions({ animal, class: names, children }: RowProps): JSX.Element {
  const isWaiting = useSignal(false);
  const act = (action: () => void) => (event: MouseEvent) => {
    isWaiting.value = (event as PointerEvent).pointerType === 'mouse';
    keepFocus(event);
    action();
  };
  return (
    <li class={names} onPointerLeave={() => (isWaiting.value = false)}>
      {children}
      <span class="row-action">{isWaiting.value ? null : <Actions animal={animal} act={act} />}</span>
    </li>
  );
}

interface ActionsProps {
  readonly animal: Animal;
  readonly act: (action: () => void) => (event: MouseEvent) => void;
}

const WORDS = { reserve: 'Reserve', sell: 'Sell' } as const;

function Actions({ animal, act }: ActionsProps): JSX.Element | null {
  const name = short(animal.name);
  const actions = actionsOf(animal);
  if (
    animal.removed &&
    isFree(animal) &&
    may('pets:write') &&
    !shop().outcomes.at(`animal-${animal.id}`)?.offer
  )
    return (
      <button
        type="button"
        class="button small wide"
        aria-label={`Restore ${name}`}
        onClick={act(() => void restore(shop(), animal))}
      >
        Restore
      </button>
    );
  return (
    <>
      {actions.map((action) => (
        <button
          key={action}
          type="button"
          class={`button small ${action}`}
          aria-label={`${WORDS[action]} ${name}`}
          onClick={act(() => runAction(action, animal))}
        >
          {WORDS[action]}
        </button>
      ))}
    </>
  );
}
