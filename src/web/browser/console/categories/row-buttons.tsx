import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { icon } from '../../shared/icons.tsx';
import type { Place } from '../data/actions/outcomes.ts';
import { isOffline, may, shop } from '../session.ts';

interface Rename {
  readonly label: string;
  /** The label with what it is about. */
  readonly description: string;
  readonly run: () => void;
}

interface RowButtonsProps {
  readonly place: Place;
  /** `“Birds”`, or `category 9`. */
  readonly called: string;
  /** What can be done; undefined where it cannot. */
  readonly rename: Rename | undefined;
  readonly remove: ((event: MouseEvent) => void) | undefined;
}

/** The actions of a category. On a phone, a button opens them on a line of their own. */
export function RowButtons({ place, called, rename, remove }: RowButtonsProps): JSX.Element {
  const isOpen = useSignal(false);
  if (!may('pets:write') || isOffline() || shop().outcomes.isBusy(place) || !(rename || remove))
    return <span class="row-buttons" />;
  return (
    <span class={`row-buttons ${isOpen.value ? 'is-open' : ''}`}>
      <span class="words">
        {rename ? (
          <button
            type="button"
            class="button plain small"
            aria-label={rename.description}
            onClick={rename.run}
          >
            {rename.label}
          </button>
        ) : null}
        {remove ? (
          <button type="button" class="button plain small" aria-label={`Remove ${called}`} onClick={remove}>
            Remove
          </button>
        ) : null}
      </span>
      <button
        type="button"
        class="button plain square more"
        aria-label={`Rename or remove ${called}`}
        aria-expanded={isOpen.value}
        onClick={() => (isOpen.value = !isOpen.peek())}
      >
        {icon('dots')}
      </button>
    </span>
  );
}
