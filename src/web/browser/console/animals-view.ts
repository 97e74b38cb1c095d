import { useSignal } from '@preact/signals';
import type { Pet } from '../../../client/index.ts';
import { type Element, h } from '../shared/element.ts';
import { icon } from '../shared/icons.ts';
import { reserve } from './actions.ts';
import { animals } from './data.ts';
import { addOpen } from './draft.ts';
import { StatusFilter } from './filter.ts';
import { focusRow, ListView } from './list-view.ts';
import { statusMark } from './overview.ts';
import { petStatuses, route, routeHref } from './route.ts';
import { Search } from './search.ts';
import { short, statusLabel } from './wording.ts';

const columns = [
  { title: 'Name', class: 'name' },
  { title: 'Status', class: 'state' },
  { title: 'Category', class: 'number category' },
  { title: 'Id', class: 'number id' },
  { title: 'Actions', class: 'actions' },
];

export function AnimalsView(): Element {
  return h(
    'section',
    { 'aria-labelledby': 'view-title' },
    h(
      'div',
      { class: 'view-head' },
      h('h1', { id: 'view-title', tabIndex: -1 }, 'Animals'),
      h(
        'button',
        { type: 'button', class: 'button primary', onClick: () => (addOpen.value = true) },
        icon('plus'),
        'Add an animal',
      ),
    ),
    h('div', { class: 'toolbar' }, h(StatusFilter, { statuses: petStatuses }), h(Search, {})),
    h(
      'div',
      { class: 'card' },
      h(ListView<Pet>, {
        list: animals,
        caption: 'Animals',
        columns,
        row,
        empty: h(Empty, {}),
      }),
    ),
  );
}

const row = (pet: Pet) => [
  h('bdi', { class: 'pet-name' }, pet.name),
  statusMark(pet.status),
  `${pet.categoryId}`,
  `${pet.id}`,
  h(PetAction, { pet }),
];

function PetAction({ pet }: { readonly pet: Pet }): Element | null {
  const busy = useSignal(false);
  const act = async () => {
    if (busy.peek()) return;
    busy.value = true;
    await reserve(pet);
    busy.value = false;
    focusRow(pet.id);
  };
  if (pet.status === 'pending') {
    const href = routeHref({ view: 'orders', status: 'placed' });
    return h(
      'a',
      { class: 'button small ghost', href, 'aria-label': `See open orders, for ${short(pet.name)}` },
      'Open orders',
    );
  }
  if (pet.status === 'sold') return null;
  return h(
    'button',
    {
      type: 'button',
      class: 'button small',
      onClick: act,
      'aria-disabled': busy.value,
      'aria-label': `Reserve ${short(pet.name)}`,
    },
    busy.value ? 'Reserving…' : 'Reserve',
  );
}

function Empty(): Element | null {
  const current = route.value;
  if (current.view !== 'animals') return null;
  const { status, name } = current;
  if (name === '' && status === undefined) {
    return h(
      'div',
      { class: 'empty' },
      h('h2', null, 'No animals yet'),
      h('p', null, 'Add the first one. It appears here at once.'),
      h(
        'button',
        { type: 'button', class: 'button primary', onClick: () => (addOpen.value = true) },
        icon('plus'),
        'Add an animal',
      ),
    );
  }
  const which = status === undefined ? 'animal' : `${statusLabel(status).toLowerCase()} animal`;
  return h(
    'div',
    { class: 'empty' },
    h('h2', null, name === '' ? `No ${which}` : `No ${which} has a name that begins with ${short(name)}`),
    h('p', null, 'Try another filter or another name.'),
    h(
      'a',
      { class: 'button', href: routeHref({ view: 'animals', status: undefined, name: '' }) },
      'Show all animals',
    ),
  );
}
