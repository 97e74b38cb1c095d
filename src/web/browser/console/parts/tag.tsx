import type { JSX } from 'preact';
import { shop } from '../session.ts';

const SHAPES = 6n;
const COLOURS = ['clay', 'sky', 'moss', 'plum', 'rose', 'stone'] as const;

/** The remainder that is never negative. */
const mod = (value: bigint, by: bigint): bigint => ((value % by) + by) % by;

/** The collar tag of a category: its shape and colour come from the id, so that neighbours differ and renaming changes nothing. */
export function Tag({ categoryId }: { readonly categoryId: bigint }): JSX.Element {
  const place = categoryId - 1n;
  const shape = mod(place, SHAPES);
  const colour = COLOURS[Number(mod(place + (place - shape) / SHAPES, SHAPES))];
  const name = shop().categories.nameOf(categoryId);
  const letters = name ? [...name].slice(0, 2).join('') : '–';
  return (
    <span class={`tag shape-${shape} ${colour}`} aria-hidden="true">
      {letters}
    </span>
  );
}

/** The name of a category, or its number where nobody has named it. */
export function CategoryName({ categoryId }: { readonly categoryId: bigint }): JSX.Element {
  const name = shop().categories.nameOf(categoryId);
  if (name !== undefined) return <bdi>{name}</bdi>;
  return (
    <span class="unnamed" title="Category without a name">
      <span class="visually-hidden">Category </span>
      {`${categoryId}`}
    </span>
  );
}
