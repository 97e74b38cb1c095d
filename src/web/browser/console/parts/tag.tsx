import type { JSX } from 'preact';
import { categoryNames } from '../data/categories.ts';

const SHAPES = 6n;
const COLOURS = ['clay', 'sky', 'moss', 'plum', 'rose', 'stone'] as const;

/** The remainder that is never negative. */
const mod = (value: bigint, by: bigint): bigint => ((value % by) + by) % by;

/** The collar tag of a category: its shape and colour come from the id, so that neighbours differ and renaming changes nothing. */
export function Tag({ categoryId }: { readonly categoryId: bigint }): JSX.Element {
  const place = categoryId - 1n;
  const shape = mod(place, SHAPES);
  const colour = COLOURS[Number(mod(place + (place - shape) / SHAPES, SHAPES))];
  const name = categoryNames.value.get(categoryId);
  const letters = name ? [...name].slice(0, 2).join('') : `${mod(categoryId, 100n)}`;
  return (
    <span class={`tag shape-${shape} ${colour}`} aria-hidden="true">
      {letters}
    </span>
  );
}

/** The name of a category, or its number where nobody has named it. */
export function CategoryName({ categoryId }: { readonly categoryId: bigint }): JSX.Element {
  const name = categoryNames.value.get(categoryId);
  if (name !== undefined) return <bdi class="category">{name}</bdi>;
  return (
    <span class="category unnamed" title={`Category ${categoryId}`}>
      <span class="visually-hidden">Category </span>
      {`${categoryId}`}
    </span>
  );
}
