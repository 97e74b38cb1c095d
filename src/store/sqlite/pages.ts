import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { Pet } from '../../contract/pet.ts';
import { type NameQuery, namePageStatement } from '../name-page.ts';
import { LONG_PAGE, pageOf } from '../page.ts';
import type { Page, PageQuery } from '../store.ts';
import { rowStatement, type Table } from './table.ts';

type Query = PageQuery<string>;

/** The condition of each filter that a query may have, and the value to bind to it. */
const filters: readonly {
  readonly sql: string;
  readonly value: (query: Query) => SQLInputValue | undefined;
}[] = [
  { sql: 'status = ?', value: ({ status }) => status },
  { sql: 'id < ?', value: ({ before }) => before },
  { sql: 'id IN (SELECT value FROM json_each(?))', value: ({ ids }) => ids && jsonArray(ids) },
];

/**
 * Reads pages of a table, newest first. Each combination of filters and limit is prepared once: with the limit as a
 * bound value, SQLite would prepare the statement again on every call, which is a third of the cost of a page.
 */
export function pageReader<T>(db: DatabaseSync, table: Table<T>): (query: Query) => Page {
  const prepared = new Map<number, StatementSync>();

  function prepare(query: Query): StatementSync {
    const given = filters.filter(({ value }) => value(query) !== undefined).map(({ sql }) => sql);
    const where = given.length === 0 ? '' : `WHERE ${given.join(' AND ')}`;
    return pageStatement(db, table, `${table.select} ${where} ORDER BY id DESC LIMIT ${query.limit + 1}`);
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
    const key = (query.limit << filters.length) | combination;
    const statement = prepared.get(key) ?? prepare(query);
    prepared.set(key, statement);
    return readPage(statement, values, query);
  };
}

/** Reads pages of animals by name. Each combination of filters and limit is prepared once. */
export function namePageReader(db: DatabaseSync, table: Table<Pet>): (query: NameQuery) => Page {
  const prepared = new Map<string, StatementSync>();

  return (query) => {
    const values: SQLInputValue[] = [];
    const parameter = (value: SQLInputValue) => `?${values.push(value)}`;
    const isOneOf = (ids: readonly bigint[]) =>
      `id IN (SELECT value FROM json_each(${parameter(jsonArray(ids))}))`;
    const sql = namePageStatement(query, { list: table.list, parameter, count: String, isOneOf });
    const statement = prepared.get(sql) ?? pageStatement(db, table, sql);
    prepared.set(sql, statement);
    return readPage(statement, values, query);
  };
}

/** A statement for the items of a SELECT, in its order, as one JSON array: a long one as bytes, which need no decoding. */
const pageStatement = <T>(db: DatabaseSync, { json }: Table<T>, select: string): StatementSync =>
  rowStatement(
    db,
    `SELECT CASE WHEN octet_length(page) > ${LONG_PAGE} THEN CAST(page AS BLOB) ELSE page END, items
     FROM (SELECT json_group_array(${json}) AS page, count(*) AS items FROM (${select}))`,
  );

function readPage(statement: StatementSync, values: readonly SQLInputValue[], { limit }: Query): Page {
  const [page, items] = statement.get(...values) as unknown as [string | Uint8Array<ArrayBuffer>, bigint];
  const json = typeof page === 'string' ? page : Buffer.from(page.buffer, page.byteOffset, page.byteLength);
  return pageOf(json, Number(items), limit);
}

const jsonArray = (ids: readonly bigint[]): string => `[${ids.join()}]`;
