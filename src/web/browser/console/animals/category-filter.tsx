import type { JSX } from 'preact';
import { icon } from '../../shared/icons.tsx';
import { categoryNames } from '../data/categories.ts';
import { route, routeHref } from '../route.ts';

/** Shows the animals of one category only. */
export function CategoryFilter(): JSX.Element | null {
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
  const isUnnamed = category !== undefined && !categoryNames.value.has(category);
  return (
    <span class="select">
      <select class="input" aria-label="Filter by category" value={`${category ?? ''}`} onChange={choose}>
        <option value="">All categories</option>
        {isUnnamed ? <option value={`${category}`}>{`Category ${category}`}</option> : null}
        {[...categoryNames.value].map(([id, name]) => (
          <option key={`${id}`} value={`${id}`}>
            {name}
          </option>
        ))}
      </select>
      {icon('down')}
    </span>
  );
}
