import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { LARGE_BODY } from '../../../contract/json-writer.ts';
import { type Pet, PetStatus } from '../../../contract/pet.ts';
import { pageOf } from '../../list-page.ts';
import type { OrderQuery, Page, PageQuery, PetQuery } from '../../store.ts';
import { rowStatement, type Table } from '../table.ts';

type Query = PageQuery<string> & Pick<OrderQuery, 'petId'>;

/** The condition that a row has one of the ids in a `jsonArray`. */
export const idIn = (array: string): string => `id IN (SELECT value FROM json_each(${array}))`;

/** The condition of each filter that a query may have, and the value to bind to it. */
const filters: readonly {
  readonly sql: string;
  readonly value: (query: Query) => SQLInputValue | undefined;
}[] = [
  { sql: 'status = ?', value: ({ status }) => status },
  { sql: 'pet_id = ?', value: ({ petId }) => petId },
  { sql: 'id <= ?', value: ({ from }) => from?.id },
  { sql: idIn('?'), value: ({ ids }) => ids && jsonArray(ids) },
];

/**
 * A limit that is a parameter. As a plain one, SQLite would plan by its value and prepare the statement again on every call;
 * as text, each limit would be another statement to keep.
 */
export const limitOf = (parameter: string): string => `${parameter} + 0`;

/** Reads pages of a table, newest first. Each combination of filters is prepared once. */
export function pageReader<T>(db: DatabaseSync, table: Table<T>): (query: Query) => Page {
  const prepared: StatementSync[] = [];

  function prepare(query: Query): StatementSync {
    const given = filters.filter(({ value }) => value(query) !== undefined).map(({ sql }) => sql);
    const where = given.length === 0 ? '' : `WHERE ${given.join(' AND ')}`;
    return pageStatement(db, table, `${table.select} ${where} ORDER BY id DESC LIMIT ${limitOf('?')}`);
  }

  return (query) => {
    const values: SQLInputValue[] = [];
    let combination = 0;
    for (const [place, { value }] of filters.entries()) {
      const given = value(query);
      if (given === undefined) continue;
      combination |= 1 << place;
      values.push(given);
    }
    values.push(query.limit + 1);
    const statement = prepared[combination] ?? prepare(query);
    prepared[combination] = statement;
    return readPage(statement, values, query);
  };
}

/** Reads pages of animals of a category, newest first. It uses one index, on (category_id, status, id), and merges at most three ranges of it. */
export function categoryPageReader(db: DatabaseSync, table: Table<Pet>): (query: PetQuery) => Page {
  const prepared = new Map<string, StatementSync>();
  return (query) => {
    const values: SQLInputValue[] = [];
    const parameter = (value: SQLInputValue) => `?${values.push(value)}`;
    const ranges = petRanges(query, parameter);
    const newest = newestOf('pets', ranges)(table.list, limitOf(parameter(query.limit + 1)));
    const statement = prepared.get(newest) ?? pageStatement(db, table, newest);
    prepared.set(newest, statement);
    return readPage(statement, values, query);
  };
}

/** The conditions for the animals of a query: one, or one for each status, because the index on categories has the status before the id. */
export function petRanges(
  { status, from, ids, categoryId }: Omit<PetQuery, 'limit' | 'name'>,
  parameter: (value: SQLInputValue) => string,
): string[] {
  const conditions = ['true'];
  if (from !== undefined) conditions.push(`id <= ${parameter(from.id)}`);
  if (ids !== undefined) conditions.push(idIn(parameter(jsonArray(ids))));
  if (categoryId !== undefined) conditions.push(`category_id = ${parameter(categoryId)}`);
  const all = conditions.join(' AND ');
  if (status !== undefined) return [`${all} AND status = ${parameter(status)}`];
  if (categoryId === undefined || ids !== undefined) return [all];
  return PetStatus.options.map((one) => `${all} AND status = '${one}'`);
}

/**
 * Selects columns of the rows of several ranges, in one order. Without a limit for each range: SQLite then reads every range in the order of
 * its index, and merges them as far as the limit of all of them.
 */
export const newestOf =
  (table: string, ranges: readonly string[], order = 'id DESC') =>
  (columns: string, limit: string): string => {
    const parts = ranges.map((range) => `SELECT ${columns} FROM ${table} WHERE ${range}`);
    return `${parts.join(' UNION ALL ')} ORDER BY ${order} LIMIT ${limit}`;
  };

/** A statement for the items of a SELECT, in its order, as one JSON array: a long one as bytes, which need no decoding. */
const pageStatement = <T>(db: DatabaseSync, { json }: Table<T>, select: string): StatementSync =>
  rowStatement(
    db,
    `SELECT CASE WHEN octet_length(page) > ${LARGE_BODY} THEN CAST(page AS BLOB) ELSE page END, items
     FROM (SELECT json_group_array(${json}) AS page, count(*) AS items FROM (${select}))`,
  );

function readPage(statement: StatementSync, values: readonly SQLInputValue[], { limit }: Query): Page {
  const [page, items] = statement.get(...values) as unknown as [string | Uint8Array<ArrayBuffer>, bigint];
  const json = typeof page === 'string' ? page : Buffer.from(page.buffer, page.byteOffset, page.byteLength);
  return pageOf({ json, count: Number(items) }, limit);
}

export const jsonArray = (ids: readonly bigint[]): string => `[${ids.join()}]`;
