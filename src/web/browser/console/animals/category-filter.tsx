import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { icon } from '../../shared/icons.tsx';
import { byNumber, categoryNames } from '../data/categories.ts';
import { animals } from '../data/store.ts';
import { route, routeHref } from '../route.ts';

/** More numbers than these are nothing to choose from. */
const MOST_UNNAMED = 50;

/** Shows the animals of one category only. */
export function CategoryFilter(): JSX.Element | null {
  // Those without a name are the ones that rows have shown so far: filtering by one must not hide the others.
  const shown = useRef(new Set<bigint>());
  const current = route.value;
  if (current.view !== 'animals') return null;
  const { category } = current;
  const choose = (event: Event) => {
    const chosen = (event.target as HTMLSelectElement).value;
    location.hash = routeHref({
      ...current,
      category: chosen === '' ? undefined : BigInt(chosen),
      animal: undefined,
    });
  };
  for (const { categoryId } of animals.items.value ?? []) shown.current.add(categoryId);
  const unnamed = [...shown.current].filter((id) => id !== category && !categoryNames.value.has(id));
  const isUnnamed = category !== undefined && !categoryNames.value.has(category);
  const numbers = [...(isUnnamed ? [category] : []), ...unnamed.slice(0, MOST_UNNAMED)].sort(byNumber);
  return (
    <span class="select">
      <select class="input" aria-label="Filter by category" value={`${category ?? ''}`} onChange={choose}>
        <option value="">All categories</option>
        {[...categoryNames.value].map(([id, name]) => (
          <option key={`${id}`} value={`${id}`}>
            {name}
          </option>
        ))}
        {numbers.map((id) => (
          <option key={`${id}`} value={`${id}`}>{`Category ${id}`}</option>
        ))}
      </select>
      {icon('down')}
    </span>
  );
}
