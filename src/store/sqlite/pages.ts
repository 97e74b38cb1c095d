import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { Pet } from '../../contract/pet.ts';
import { type NameQuery, namePageStatement } from '../name-page.ts';
import type { PageQuery } from '../store.ts';
import { type Row, rowStatement, type Table } from './table.ts';

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
export function pageReader<T>(db: DatabaseSync, { select, fromRow }: Table<T>): (query: Query) => T[] {
  const prepared = new Map<number, StatementSync>();

  function prepare(query: Query): StatementSync {
    const given = filters.filter(({ value }) => value(query) !== undefined).map(({ sql }) => sql);
    const where = given.length === 0 ? '' : `WHERE ${given.join(' AND ')}`;
    return rowStatement(db, `${select} ${where} ORDER BY id DESC LIMIT ${query.limit}`);
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
    return (statement.all(...values) as unknown as Row[]).map(fromRow);
  };
}

/** Reads pages of animals by name. Each combination of filters and limit is prepared once. */
export function namePageReader(db: DatabaseSync, { list, fromRow }: Table<Pet>): (query: NameQuery) => Pet[] {
  const prepared = new Map<string, StatementSync>();

  return (query) => {
    const values: SQLInputValue[] = [];
    const parameter = (value: SQLInputValue) => `?${values.push(value)}`;
    const isOneOf = (ids: readonly bigint[]) =>
      `id IN (SELECT value FROM json_each(${parameter(jsonArray(ids))}))`;
    const sql = namePageStatement(query, { list, parameter, count: String, isOneOf });
    const statement = prepared.get(sql) ?? rowStatement(db, sql);
    prepared.set(sql, statement);
    return (statement.all(...values) as unknown as Row[]).map(fromRow);
  };
}

const jsonArray = (ids: readonly bigint[]): string => `[${ids.join()}]`;
