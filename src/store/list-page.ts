import type { Position } from '../contract/cursor.ts';
import { encodeIfLarge } from '../contract/json.ts';
import type { Page } from './store.ts';

/** How every item begins. It occurs nowhere else: the quotes of a text are escaped, and no item contains an object. */
const ITEM = '{"id":';

/** The JSON array of a page and the first item of the next one, if there is one, as a database has read them. */
interface ReadItems {
  readonly json: string | Buffer;
  readonly count: number;
}

/**
 * The page of the first `limit` items; one item more shows that there is a next page, which begins with it. Databases
 * write the JSON themselves, which costs less than passing every column of every row to JavaScript.
 */
export function pageOf({ json, count }: ReadItems, limit: number): Page {
  if (count <= limit) return { json: typeof json === 'string' ? encodeIfLarge(json) : json };
  const end = json.lastIndexOf(ITEM) - 1;
  const idAt = end + 1 + ITEM.length;
  const idEnd = json.indexOf(',', idAt);
  if (typeof json === 'string')
    return { json: encodeIfLarge(`${json.slice(0, end)}]`), next: { id: BigInt(json.slice(idAt, idEnd)) } };
  const next = { id: BigInt(json.toString('latin1', idAt, idEnd)) };
  json.write(']', end);
  return { json: json.subarray(0, end + 1), next };
}

/** An item as JSON with its place in the list. */
export interface PlacedItem {
  readonly position: Position;
  readonly json: string;
}

/** The page of the first `limit` items. The next one begins with the first that is left, or at `next`. */
export function pageOfItems(items: readonly PlacedItem[], limit: number, next?: Position): Page {
  const json = items.slice(0, limit).map((item) => item.json);
  return { json: encodeIfLarge(`[${json.join()}]`), next: items[limit]?.position ?? next };
}
