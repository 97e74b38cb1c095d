import type { Position } from '../contract/cursor.ts';
import { encodeIfLarge } from '../contract/json-writer.ts';
import type { Page } from './store.ts';

/** How every item begins. It occurs nowhere else: the quotes of a text are escaped, and no item contains an object. */
const ITEM = '{"id":';

/** The JSON array of a page and the first item of the next one, if there is one, as a database has read them. */
export interface ReadItems {
  readonly json: string | Buffer;
  readonly count: number;
  /** The key of the last item's name, in a list by name. */
  readonly nameKey?: string | undefined;
}

/**
 * The first `limit` of the items: one more than the limit shows that there is a next page, which begins with it. Databases
 * write the JSON themselves, because to pass every column of every row to JavaScript costs twice as much.
 */
export function pageOf({ json, count, nameKey }: ReadItems, limit: number): Page {
  if (count <= limit) return { json: typeof json === 'string' ? encodeIfLarge(json) : json };
  const end = json.lastIndexOf(ITEM) - 1;
  const idAt = end + 1 + ITEM.length;
  const idEnd = json.indexOf(',', idAt);
  if (typeof json === 'string')
    return {
      json: encodeIfLarge(`${json.slice(0, end)}]`),
      next: { id: BigInt(json.slice(idAt, idEnd)), nameKey },
    };
  const next = { id: BigInt(json.toString('latin1', idAt, idEnd)), nameKey };
  json.write(']', end);
  return { json: json.subarray(0, end + 1), next };
}

/** A row with its place in the list, and its item as JSON, or null if the item does not match. */
export interface Candidate {
  readonly position: Position;
  readonly json: string | null;
}

/**
 * The page of the first `limit` candidates that match. If there are more than `most` candidates, only these are looked at, and
 * the next page begins after them.
 */
export function pageOfCandidates(
  candidates: readonly Candidate[],
  limit: number,
  most = Number.POSITIVE_INFINITY,
): Page {
  const items: string[] = [];
  for (const [i, { position, json }] of candidates.entries()) {
    const isFull = json !== null && items.length === limit;
    if (isFull || i === most) return { json: `[${items.join()}]`, next: position };
    if (json !== null) items.push(json);
  }
  return { json: `[${items.join()}]` };
}

/** How many animals by name are looked at for a page of one category: no index has both, which would make creates dearer. */
export const CANDIDATES_MAX = 500;
