import type { Categories } from '../data/categories.ts';
import { tidyName, wantedCategory } from '../data/forms/fields.ts';

/** More than a person looks through: typing another letter finds the rest. */
const MOST = 50;

/** A category to choose, or the name of a new one. */
export type CategoryChoice =
  | { readonly kind: 'known'; readonly id: bigint; readonly name: string }
  | { readonly kind: 'new'; readonly name: string };

/**
 * The categories whose name contains a text, those that begin with it first, and a new one if none has this name. Without a text, all of
 * them.
 */
export function categoryChoices(categories: Categories, text: string): readonly CategoryChoice[] {
  const tidy = tidyName(text);
  const wanted = wantedCategory(categories, tidy);
  const ids = new Set(categories.containing(tidy));
  const found = categories.all.value.filter(({ id }) => ids.has(id));
  const isBest = (name: string) => name.toLowerCase().startsWith(tidy.toLowerCase());
  const known = [
    ...(wanted.kind === 'known' ? [wanted.category] : []),
    ...found.filter(({ id, name }) => isBest(name) && !isSame(id)),
    ...found.filter(({ id, name }) => !isBest(name) && !isSame(id)),
  ];
  function isSame(id: bigint): boolean {
    return wanted.kind === 'known' && wanted.id === id;
  }
  return [
    ...known.slice(0, MOST).map(({ id, name }) => ({ kind: 'known', id, name }) as const),
    ...(wanted.kind === 'new' ? [wanted] : []),
  ];
}
