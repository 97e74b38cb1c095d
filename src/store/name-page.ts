import { keyRange } from '../contract/name-key.ts';
import { PetStatus } from '../contract/pet.ts';
import type { PetQuery } from './store.ts';

/** A page of animals by name: a query for which `name` is given. */
export type NameQuery = PetQuery & { readonly name: string };

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
 * The statement for a page of animals by name, for both stores. It uses one index, on (status, name_key, id), and merges at
 * most six ranges of it, each cut to one entry more than `limit`: the cost does not depend on how many animals match, nor on where
 * the page begins.
 */
export function namePageStatement(query: NameQuery, { list, parameter, count, isOneOf }: Dialect): string {
  const { limit, status, before, ids, name } = query;
  const { from, to } = keyRange(name);
  const below = `name_key < ${parameter(to)}`;
  const ranges =
    before === undefined
      ? [`name_key >= ${parameter(from)} AND ${below}`]
      : rangesAfter(parameter(before), below);
  // With ids, at most a hundred rows are read by their ids and then sorted.
  const source = ids === undefined ? 'pets' : 'given';
  const given =
    ids === undefined ? '' : `WITH given AS MATERIALIZED (SELECT * FROM pets WHERE ${isOneOf(ids)})`;
  const end = `ORDER BY name_key, id LIMIT ${count(limit + 1)}`;
  const statuses = PetStatus.options.filter((one) => status === undefined || one === status);
  const parts = statuses.flatMap((one) =>
    ranges.map(
      (range) => `SELECT ${list}, name_key FROM ${source} WHERE status = '${one}' AND ${range} ${end}`,
    ),
  );
  const merged = parts.map((part, i) => `SELECT * FROM (${part}) AS part${i}`).join(' UNION ALL ');
  return `${given} ${merged} ${end}`;
}

/** Two ranges, because SQLite does not use an index for a comparison of two columns of which one is the row id. */
function rangesAfter(last: string, below: string): string[] {
  const key = `(SELECT name_key FROM pets WHERE id = ${last})`;
  return [`name_key = ${key} AND id > ${last}`, `name_key > ${key} AND ${below}`];
}
