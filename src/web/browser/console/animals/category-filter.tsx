import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { icon } from '../../shared/icons.tsx';
import { route } from '../address.ts';
import { byNumber } from '../data/categories.ts';
import { routeHref } from '../route.ts';
import { shop } from '../session.ts';

/** More numbers than these are nothing to choose from. */
const MOST_UNNAMED = 50;

/** Shows the animals of one category only. */
export function CategoryFilter(): JSX.Element | null {
  // Those without a name are the ones that rows have shown so far: filtering by one must not hide the others.
  const shown = useRef(new Set<bigint>());
  const current = route.value;
  if (current.view !== 'animals') return null;
  const { category } = current;
  const { animalList, categories, cache } = shop();
  const choose = (event: Event) => {
    const chosen = (event.target as HTMLSelectElement).value;
    location.hash = routeHref({
      ...current,
      category: chosen === '' ? undefined : BigInt(chosen),
      animal: undefined,
    });
  };
  for (const id of animalList.ids.value ?? []) {
    const categoryId = cache.animals.peek(id)?.categoryId;
    if (categoryId !== undefined) shown.current.add(categoryId);
  }
  const named = categories.all.value;
  const known = new Set(named.map(({ id }) => id));
  const unnamed = [...shown.current].filter((id) => id !== category && !known.has(id));
  const isUnnamed = category !== undefined && !known.has(category);
  const numbers = [...(isUnnamed ? [category] : []), ...unnamed.slice(0, MOST_UNNAMED)].sort(byNumber);
  return (
    <span class={`select ${category === undefined ? '' : 'on'}`}>
      <select class="input" aria-label="Category" value={`${category ?? ''}`} onChange={choose}>
        <option value="">All categories</option>
        {named.map(({ id, name }) => (
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
