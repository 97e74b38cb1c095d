import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { ListedPet, Pet } from '../../../../client/index.ts';
import { complete, reserve } from '../data/actions.ts';
import { isOffline } from '../data/connection.ts';
import { restore } from '../data/corrections.ts';
import { outcomes } from '../data/outcomes.ts';
import { may } from '../data/permissions.ts';
import { shownStatus } from '../data/removed.ts';
import { reservations } from '../data/store.ts';
import { keepFocus } from '../parts/keep-focus.ts';
import { RowState } from '../parts/row-state.tsx';
import { CategoryName, Tag } from '../parts/tag.tsx';
import { moment } from '../parts/time.ts';
import { short } from '../parts/wording.ts';
import { animalHref, route } from '../route.ts';

/** One animal: the whole row opens its panel. */
export function AnimalRow({ pet }: { readonly pet: ListedPet }): JSX.Element {
  // After an action the place of its button stays empty until the pointer leaves the row: a second click does no harm.
  const acted = useSignal(false);
  const act = (action: () => void) => (event: MouseEvent) => {
    acted.value = true;
    keepFocus(event);
    action();
  };
  const chosen = route.value.animal === pet.id;
  return (
    <li
      class={`row ${shownStatus(pet) === 'sold' || shownStatus(pet) === 'removed' ? 'is-over' : ''} ${chosen ? 'chosen' : ''}`}
      onPointerLeave={() => (acted.value = false)}
    >
      <Tag categoryId={pet.categoryId} />
      <a class="row-name" href={animalHref(pet.id)} aria-current={chosen ? 'true' : undefined}>
        <bdi class="name" title={pet.name}>
          {pet.name}
        </bdi>
        <span class="id">{`${pet.id}`}</span>
      </a>
      <span class="row-meta">
        <CategoryName categoryId={pet.categoryId} />
        <RowState place={`animal-${pet.id}`} status={shownStatus(pet)}>
          {shownStatus(pet) === 'removed' ? removalOf(pet) : noteOf(pet)}
        </RowState>
      </span>
      <span class="row-action">{acted.value ? null : <QuickAction pet={pet} act={act} />}</span>
    </li>
  );
}

/** Who a reserved animal is for. */
function noteOf({ id, status }: Pet): JSX.Element | null {
  const note = status === 'pending' ? reservations.value.get(id)?.note : undefined;
  return note === undefined ? null : (
    <bdi class="note" title={note}>
      {note}
    </bdi>
  );
}

/** When it was removed, and why, where the list says so. */
function removalOf({ removedAt, reason }: ListedPet): JSX.Element | null {
  if (removedAt === undefined) return null;
  return (
    <bdi class="note" title={reason}>
      {moment(removedAt)}
      {reason === undefined ? null : (
        <>
          {' · '}
          <bdi>{reason}</bdi>
        </>
      )}
    </bdi>
  );
}

interface QuickActionProps {
  readonly pet: Pet;
  readonly act: (action: () => void) => (event: MouseEvent) => void;
}

function QuickAction({ pet, act }: QuickActionProps): JSX.Element | null {
  const isResting = outcomes.value.get(`animal-${pet.id}`)?.kind === 'busy' || isOffline.value;
  const order = reservations.value.get(pet.id);
  const status = shownStatus(pet);
  const isAllowed = may(status === 'removed' ? 'pets:write' : 'store:write');
  if (isResting || status === 'sold' || !isAllowed) return null;
  if (status === 'removed')
    return (
      <button
        type="button"
        class="button small"
        aria-label={`Restore ${short(pet.name)}`}
        onClick={act(() => void restore(pet))}
      >
        Restore
      </button>
    );
  if (status === 'available')
    return (
      <button
        type="button"
        class="button small"
        aria-label={`Reserve ${short(pet.name)}`}
        onClick={act(() => void reserve(pet))}
      >
        Reserve
      </button>
    );
  if (!order) return null;
  return (
    <button
      type="button"
      class="button small"
      aria-label={`Complete the order of ${short(pet.name)}`}
      onClick={act(() => void complete(order))}
    >
      Complete
    </button>
  );
}
