import type { Page } from './store.ts';

/** How every item begins. It occurs nowhere else: the quotes of a text are escaped, and no item contains an object. */
const ITEM = '{"id":';

/** Longer pages are bytes, once for all requests that share a page: to encode 400 kB of names takes milliseconds. */
export const LONG_PAGE = 32 * 1024;

/**
 * The first `limit` of the `count` items in the JSON array: one item more than the limit shows that there are more. Databases
 * write the JSON themselves, because to pass every column of every row to JavaScript costs twice as much.
 */
export function pageOf(json: string | Buffer, count: number, limit: number): Page {
  if (typeof json === 'string' && json.length > LONG_PAGE) return pageOf(Buffer.from(json), count, limit);
  if (count <= limit) return { json };
  const end = json.lastIndexOf(ITEM) - 1;
  const id = json.lastIndexOf(ITEM, end) + ITEM.length;
  const idEnd = json.indexOf(',', id);
  if (typeof json === 'string')
    return { json: `${json.slice(0, end)}]`, last: BigInt(json.slice(id, idEnd)) };
  json.write(']', end);
  return { json: json.subarray(0, end + 1), last: BigInt(json.toString('latin1', id, idEnd)) };
}
