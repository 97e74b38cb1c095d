import { useComputed } from '@preact/signals';
import type { JSX } from 'preact';
import { listAddress, route } from '../address.ts';
import { type Animal, shownStatus } from '../data/cache/animal.ts';
import { RowState } from '../parts/row-state.tsx';
import { CategoryName, Tag } from '../parts/tag.tsx';
import { short } from '../parts/wording.ts';
import { routeHref } from '../route.ts';
import { shop } from '../session.ts';
import { RowWithActions } from './row-buttons.tsx';
import { isChoosing, maySelect, pick } from './selecting.ts';

/** One animal: the whole row opens its panel. It reads what belongs to it alone, so that no other row is drawn again when that changes. */
export function AnimalRow({ id }: { readonly id: bigint }): JSX.Element | null {
  const isPicked = useComputed(() => shop().selection.has(id));
  const isChosen = useComputed(() => route.value.animal === id);
  const animal = shop().cache.animals.get(id);
  if (!animal) return null;
  const status = shownStatus(animal);
  const open = (event: MouseEvent) => {
    // On a phone, while several are being selected, the whole row is the tick box.
    if (!isChoosing.peek()) return;
    event.preventDefault();
    pick(id, false);
  };
  return (
    <RowWithActions
      animal={animal}
      class={[
        'row',
        status === 'sold' || status === 'removed' ? 'is-over' : '',
        isChosen.value ? 'chosen' : '',
        isPicked.value ? 'picked' : '',
      ].join(' ')}
    >
      {maySelect() ? <PickBox animal={animal} isPicked={isPicked.value} /> : <span />}
      <Tag categoryId={animal.categoryId} />
      <a
        class="row-name"
        href={hrefOf(id)}
        data-id={`${id}`}
        aria-current={isChosen.value ? 'true' : undefined}
        onClick={open}
      >
        <bdi class="name" title={animal.name}>
          {animal.name}
        </bdi>
        <span class="id">{`${id}`}</span>
      </a>
      <span class="row-meta">
        <span class="row-category">
          <CategoryName categoryId={animal.categoryId} />
        </span>
        <RowState place={`animal-${id}`} status={status}>
          {noteOf(animal)}
        </RowState>
      </span>
    </RowWithActions>
  );
}

/** The address of the panel. It changes with the list and not with the panel that is open. */
function hrefOf(animal: bigint): string {
  void listAddress.value;
  return routeHref({ ...route.peek(), animal });
}

function PickBox({ animal: { id, name }, isPicked }: { animal: Animal; isPicked: boolean }): JSX.Element {
  return (
    <input
      class="pick"
      type="checkbox"
      aria-label={`Select ${short(name)}`}
      checked={isPicked}
      onMouseDown={(event) => event.shiftKey && event.preventDefault()}
      onClick={({ currentTarget, shiftKey }) => {
        pick(id, shiftKey);
        // With Shift a ticked row stays ticked, whatever the browser has made of the click.
        currentTarget.checked = shop().selection.ids.peek().has(id);
      }}
    />
  );
}

/** Who it is reserved for, or why it was removed. The notes of sales are not loaded with the list: the panel shows them. */
function noteOf({ id, status, removed }: Animal): JSX.Element | null {
  const reservation = status === 'pending' ? shop().cache.reservationOf(id) : undefined;
  const note = removed ? removed.reason : reservation?.note;
  return note === undefined ? null : (
    <span class="note" title={note}>
      <bdi>{note}</bdi>
    </span>
  );
}
