import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { LARGE_BODY } from '../../../contract/json-writer.ts';
import { pageOf } from '../../list-page.ts';
import {
  allOf,
  type Condition,
  compare,
  type Dialect,
  descending,
  type List,
  perCombination,
  type Selection,
  upTo,
} from '../../lists.ts';
import { type Found, foundIn, searchOf } from '../../search.ts';
import type { Page, PetQuery } from '../../store.ts';
import { rowStatement, type Table } from '../table.ts';

type Query = Pick<PetQuery, 'limit' | 'from'>;

/** How many rows a search looks at before other requests get their turn: a fraction of a millisecond, or a few if all texts are as long as they may be. */
export const SEARCHED_ROWS = 500;

/** The condition that a folded text contains another one. */
export const contains = (column: string, folded: string): string => `instr(${column}, ${folded}) > 0`;

const dialect: Dialect<SQLInputValue> = {
  sign: '?',
  contains,
  toValue(value) {
    if (typeof value !== 'object') return value;
    return value instanceof Date ? value.getTime() : `[${value.join()}]`;
  },
};

/**
 * Reads pages of a list that is ordered by the id, newest first, as one JSON array: a long one as bytes, which need no decoding. Each combination of
 * filters is prepared once.
 */
export function pageReader<T, Q extends Query>(
  db: DatabaseSync,
  table: Table<T>,
  list: List<Q>,
): (query: Q) => Page {
  const statementFor = perCombination(list, dialect, (selection) => {
    const newest = selectFrom(table, selection)(table.list, limitOf(selection.limit));
    const sql = `
      SELECT CASE WHEN octet_length(page) > ${LARGE_BODY} THEN CAST(page AS BLOB) ELSE page END, items
      FROM (SELECT json_group_array(${table.json}) AS page, count(*) AS items FROM (${newest}))`;
    return rowStatement(db, sql);
  });
  return (query) => {
    const { statement, values } = statementFor(query);
    values.push(query.limit + 1);
    const [page, items] = statement.get(...values) as unknown as [string | Uint8Array<ArrayBuffer>, bigint];
    const json = typeof page === 'string' ? page : Buffer.from(page.buffer, page.byteOffset, page.byteLength);
    return pageOf({ json, count: Number(items) }, query.limit);
  };
}

/** Looks at the rows of a list from where a query begins. */
export function searchReader<T, Q extends Query>(
  db: DatabaseSync,
  table: Table<T>,
  list: List<Q>,
): (query: Q) => Found {
  const statementFor = perCombination(list, dialect, (selection) =>
    rowStatement(db, searchOf(table, selection, selectFrom(table, selection), SEARCHED_ROWS)),
  );
  return (query) => {
    const { statement, values } = statementFor(query);
    return foundIn(statement.all(...values, query.limit) as unknown as unknown[][]);
  };
}

/**
 * A limit that is a parameter. As a plain one, SQLite would plan by its value and prepare the statement again on every call;
 * as text, each limit would be another statement to keep.
 */
const limitOf = (parameter: string): string => `${parameter} + 0`;

const rangeOf = (conditions: readonly Condition[]): string =>
  allOf([
    ...upTo(conditions.filter(({ is }) => is === 'from')),
    ...conditions
      .filter(({ is }) => is !== 'from')
      .map((one) =>
        one.is === 'oneOf' ? `${one.column} IN (SELECT value FROM json_each(${one.sql}))` : compare(one),
      ),
  ]);

/**
 * Selects columns of the rows of all ranges, in one order. Without a limit for each range: SQLite then reads every range in the order of
 * its index, and merges them as far as the limit of all of them.
 */
const selectFrom =
  <T>({ name }: Table<T>, { ranges, order }: Selection) =>
  (columns: string, limit: string): string => {
    const parts = ranges.map((range) => `SELECT ${columns} FROM ${name} WHERE ${rangeOf(range)}`);
    return `${parts.join(' UNION ALL ')} ORDER BY ${descending(order)} LIMIT ${limit}`;
  };
