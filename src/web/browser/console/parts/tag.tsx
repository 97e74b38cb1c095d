import type { JSX } from 'preact';
import { shop } from '../session.ts';

const SHAPES = 6n;
const COLOURS = ['clay', 'sky', 'moss', 'plum', 'rose', 'stone'] as const;
const UNNAMED = 'shape-0 stone';

/** The remainder that is never negative. */
const mod = (value: bigint, by: bigint): bigint => ((value % by) + by) % by;

/**
 * The collar tag of a category: its shape and colour come from the id, so that neighbours differ and renaming changes nothing. One without a
 * name is round, stone-coloured, with a dash.
 */
export function Tag({ categoryId }: { readonly categoryId: bigint }): JSX.Element {
  const { categories } = shop();
  const name = categories.nameOf(categoryId);
  // Until the names are known, a tag has the shape that it has with a name.
  const look = name === undefined && categories.isLoaded.value ? UNNAMED : lookOf(categoryId);
  return (
    <span class={`tag ${look}`} aria-hidden="true">
      {name ? [...name].slice(0, 2).join('') : '–'}
    </span>
  );
}

/** The classes for the shape and the colour of a category with a name. */
function lookOf(categoryId: bigint): string {
  const place = categoryId - 1n;
  const shape = mod(place, SHAPES);
  return `shape-${shape} ${COLOURS[Number(mod(place + (place - shape) / SHAPES, SHAPES))]}`;
}

/** The name of a category, or its number where nobody has named it. */
export function CategoryName({ categoryId }: { readonly categoryId: bigint }): JSX.Element {
  const name = shop().categories.nameOf(categoryId);
  if (name !== undefined) return <bdi>{name}</bdi>;
  return (
    <span class="unnamed" title="Category without a name">
      <span class="visually-hidden">Category </span>
      <bdi dir="ltr">{`${categoryId}`}</bdi>
    </span>
  );
}
