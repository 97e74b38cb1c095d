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
  /** The condition that an id is one of these. */
  readonly isOneOf: (ids: readonly bigint[]) => string;
}

/**
 * The statement for a page of animals by name, for both stores. It uses one index, on (status, name_key, id), and reads at
 * most `limit` entries of it per status, wherever the page begins and however many animals match.
 */
export function namePageStatement(query: NameQuery, { list, parameter, isOneOf }: Dialect): string {
  const { limit, status, before, ids, name } = query;
  const range = keyRange(name);
  const conditions = [`name_key >= ${parameter(range.from)}`, `name_key < ${parameter(range.to)}`];
  if (before !== undefined) {
    const last = parameter(before);
    conditions.push(`(name_key, id) > ((SELECT name_key FROM pets WHERE id = ${last}), ${last})`);
  }
  const end = `ORDER BY name_key, id LIMIT ${parameter(limit)}`;
  // With ids, at most a hundred rows are read by their ids and then sorted.
  const source = ids === undefined ? 'pets' : 'given';
  const given =
    ids === undefined ? '' : `WITH given AS MATERIALIZED (SELECT * FROM pets WHERE ${isOneOf(ids)})`;
  const statuses = status === undefined ? PetStatus.options : [status];
  const parts = statuses.map(
    (one) =>
      `SELECT * FROM (SELECT ${list}, name_key FROM ${source} WHERE status = '${one}' AND ${conditions.join(' AND ')} ${end}) AS ${one}`,
  );
  return `${given} ${parts.join(' UNION ALL ')} ${end}`;
}
