import { keyRange } from '../contract/name-key.ts';
import { PetStatus } from '../contract/pet.ts';
import type { PetQuery } from './store.ts';

/** A page of animals by name: a query for which `name` is given. */
export type NameQuery = PetQuery & { readonly name: string };
/** A page of animals of one category, newest first. */
export type CategoryPageQuery = PetQuery & { readonly categoryId: bigint };

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
 * The statement for the first `rows` animals by name, for both stores. It uses one index, on (status, name_key, id), and merges at
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
  const below = `name_key < ${parameter(to)}`;
  const ranges =
    start?.nameKey === undefined
      ? [`name_key >= ${parameter(from)} AND ${below}`]
      : rangesFrom(parameter(start.nameKey), parameter(start.id), below);
  // With ids, at most a hundred rows are read by their ids and then sorted.
  const source = ids === undefined ? 'pets' : 'given';
  const given =
    ids === undefined ? '' : `WITH given AS MATERIALIZED (SELECT * FROM pets WHERE ${isOneOf(ids)})`;
  const end = `ORDER BY name_key, id LIMIT ${count(rows)}`;
  const parts = statusesOf(query).flatMap((status) =>
    ranges.map(
      (range) => `SELECT ${list}, name_key FROM ${source} WHERE status = '${status}' AND ${range} ${end}`,
    ),
  );
  return `${given} ${merged(parts, end)}`;
}

/** The same for a page by category. It uses one index, on (category_id, status, id), and merges at most three ranges of it. */
export function categoryPageStatement(
  query: CategoryPageQuery,
  { list, parameter, count, isOneOf }: Dialect,
): string {
  const { limit, from, ids, categoryId } = query;
  const conditions = [`category_id = ${parameter(categoryId)}`];
  if (from !== undefined) conditions.push(`id <= ${parameter(from.id)}`);
  if (ids !== undefined) conditions.push(isOneOf(ids));
  const end = `ORDER BY id DESC LIMIT ${count(limit + 1)}`;
  const parts = statusesOf(query).map(
    (status) => `SELECT ${list} FROM pets WHERE ${conditions.join(' AND ')} AND status = '${status}' ${end}`,
  );
  return merged(parts, end);
}

const statusesOf = ({ status }: PetQuery): PetStatus[] =>
  PetStatus.options.filter((one) => status === undefined || one === status);

const merged = (parts: readonly string[], end: string): string =>
  `${parts.map((part, i) => `SELECT * FROM (${part}) AS part${i}`).join(' UNION ALL ')} ${end}`;

/** Two ranges, because SQLite does not use an index for a comparison of two columns of which one is the row id. */
function rangesFrom(key: string, id: string, below: string): string[] {
  return [`name_key = ${key} AND id >= ${id}`, `name_key > ${key} AND ${below}`];
}
