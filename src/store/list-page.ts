import type { Position } from '../contract/cursor.ts';
import { encodeIfLarge } from '../contract/json-writer.ts';
import { keyRange } from '../contract/name-key.ts';
import { PetStatus } from '../contract/pet.ts';
import type { Page, PetQuery } from './store.ts';

/** How every item begins. It occurs nowhere else: the quotes of a text are escaped, and no item contains an object. */
const ITEM = '{"id":';

/** The JSON array of a page and the first item of the next one, if there is one, as a database has read them. */
interface ReadItems {
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
interface Candidate {
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

/** A page of animals by name: a query for which `name` is given. */
type NameQuery = PetQuery & { readonly name: string };

interface Dialect {
  /** The columns to select. */
  readonly list: string;
  /** Adds a parameter and returns its placeholder. */
  readonly parameter: (value: string | bigint | number) => string;
  /** The number of rows for LIMIT: a literal, or a parameter. */
  readonly count: (rows: number) => string;
  /** The condition that an id is one of these. */
  readonly isOneOf: (ids: readonly bigint[]) => string;
}

/**
 * The statement for the first `rows` animals by name, for both stores. It uses one index, on (status, folded_name, id), and merges at
 * most six ranges of it, each cut to `rows` entries: the cost does not depend on how many animals match, nor on where
 * the page begins.
 */
export function namePageStatement(
  query: NameQuery,
  { list, parameter, count, isOneOf }: Dialect,
  rows = query.limit + 1,
): string {
  const { from: start, ids, name } = query;
  const { from, to } = keyRange(name);
  const below = `folded_name < ${parameter(to)}`;
  const ranges =
    start?.nameKey === undefined
      ? [`folded_name >= ${parameter(from)} AND ${below}`]
      : rangesFrom(parameter(start.nameKey), parameter(start.id), below);
  // With ids, at most a hundred rows are read by their ids and then sorted.
  const source = ids === undefined ? 'pets' : 'given';
  const given =
    ids === undefined ? '' : `WITH given AS MATERIALIZED (SELECT * FROM pets WHERE ${isOneOf(ids)})`;
  const end = `ORDER BY folded_name, id LIMIT ${count(rows)}`;
  const parts = statusesOf(query).flatMap((status) =>
    ranges.map(
      (range) => `SELECT ${list}, folded_name FROM ${source} WHERE status = '${status}' AND ${range} ${end}`,
    ),
  );
  return `${given} ${merged(parts, end)}`;
}

export const statusesOf = ({ status }: PetQuery): PetStatus[] =>
  PetStatus.options.filter((one) => status === undefined || one === status);

/** The first rows of several ranges. */
export const merged = (parts: readonly string[], end: string): string =>
  `${parts.map((part, i) => `SELECT * FROM (${part}) AS part${i}`).join(' UNION ALL ')} ${end}`;

/** Two ranges, because SQLite does not use an index for a comparison of two columns of which one is the row id. */
function rangesFrom(key: string, id: string, below: string): string[] {
  return [`folded_name = ${key} AND id >= ${id}`, `folded_name > ${key} AND ${below}`];
}
