import type { Page } from './store.ts';

/** How every item begins. It occurs nowhere else: the quotes of a text are escaped, and no item contains an object. */
const ITEM = '{"id":';

/**
 * The first `limit` of the `count` items in the JSON array: one item more than the limit shows that there are more. Databases
 * write the JSON themselves, because to pass every column of every row to JavaScript costs twice as much.
 */
export function pageOf(json: string, count: number, limit: number): Page {
  if (count <= limit) return { json };
  const shown = json.slice(0, json.lastIndexOf(ITEM) - 1);
  const id = shown.lastIndexOf(ITEM) + ITEM.length;
  return { json: `${shown}]`, last: BigInt(shown.slice(id, shown.indexOf(',', id))) };
}
