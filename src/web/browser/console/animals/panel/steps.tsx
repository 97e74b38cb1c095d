import type { JSX } from 'preact';
import { icon } from '../../../shared/icons.tsx';
import { replaceRoute, route } from '../../address.ts';
import { orderQuery } from '../../data/views.ts';
import { shop } from '../../session.ts';

/** The animals in the rows of the present view, each once, from the top. */
function animalsInRows(): readonly bigint[] {
  const { animalList, reservedList, soldList, foundOrders, activityList } = shop();
  const to = route.value;
  switch (to.view) {
    case 'animals':
    case 'removed':
      return animalList.ids.value ?? [];
    case 'orders': {
      const lists = orderQuery(to) ? [foundOrders] : [reservedList, soldList];
      return unique(lists.flatMap((list) => list.items.value ?? []).map(({ petId }) => petId));
    }
    case 'activity':
      return unique((activityList.items.value ?? []).flatMap(({ pet }) => (pet ? [pet.id] : [])));
    default:
      return [];
  }
}

const unique = (ids: readonly bigint[]): readonly bigint[] => [...new Set(ids)];

/** To the animal in the row before, and in the row after. */
export function Steps({ id }: { readonly id: bigint }): JSX.Element | null {
  const rows = animalsInRows();
  const place = rows.indexOf(id);
  if (place < 0) return null;
  return (
    <span class="start">
      {step(rows[place - 1], 'Previous animal', 'up')}
      {step(rows[place + 1], 'Next animal', 'down')}
    </span>
  );
}

const step = (to: bigint | undefined, label: string, shape: 'up' | 'down'): JSX.Element => (
  <button
    type="button"
    class="button plain small square step"
    aria-label={label}
    aria-disabled={to === undefined}
    onClick={() => to !== undefined && replaceRoute({ ...route.peek(), animal: to })}
  >
    {icon(shape)}
  </button>
);
