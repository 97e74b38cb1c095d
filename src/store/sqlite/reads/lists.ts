import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { LARGE_BODY } from '../../../contract/json.ts';
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

/** The condition that a folded text contains every word of a list. Most texts do not contain the first one, so that cheap test comes first. */
export const contains = (column: string, words: string): string =>
  `instr(${column}, ${words} ->> 0) > 0 AND NOT EXISTS (SELECT 1 FROM json_each(${words}) WHERE instr(${column}, value) = 0)`;

const dialect: Dialect<SQLInputValue> = {
  sign: '?',
  isOneOf: (column, list) => `${column} IN (SELECT value FROM json_each(${list}))`,
  contains,
  countOf: (words) => `json_array_length(${words})`,
  toValue(value) {
    if (typeof value !== 'object') return value;
    // Text that is compared with an id becomes a number.
    return value instanceof Date ? value.getTime() : JSON.stringify(value.map(String));
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
    // For a plain parameter, SQLite would plan by its value and prepare the statement again on every call; with the number in the
    // text, each limit would be another statement to keep.
    const newest = selectFrom(table, selection)(table.list, `${selection.limit} + 0`);
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
    return foundIn(statement.all(...values, query.limit) as unknown as unknown[][], query.limit);
  };
}

const rangeOf = (conditions: readonly Condition[]): string =>
  allOf([
    ...upTo(conditions.filter(({ is }) => is === 'from')),
    ...conditions
      .filter(({ is }) => is !== 'from')
      .map((one) => (one.is === 'oneOf' ? dialect.isOneOf(one.column, one.sql) : compare(one))),
  ]);

/**
 * Selects columns of the rows of all ranges, in one order. The ranges have no limits of their own, so that SQLite reads each in the order of
 * its index, and merges them as far as the common limit.
 */
const selectFrom =
  <T>({ name }: Table<T>, { ranges, each, order }: Selection) =>
  (columns: string, limit: string): string => {
    const ordered = `ORDER BY ${descending(order)} LIMIT ${limit}`;
    const merged = (columns: string) =>
      `${ranges.map((range) => `SELECT ${columns} FROM ${name} WHERE ${rangeOf(range)}`).join(' UNION ALL ')} ${ordered}`;
    if (each === undefined) return merged(columns);
    // The first rows of each value, and then the first of those.
    return `SELECT ${columns} FROM (SELECT value AS each_value FROM json_each(${each})) CROSS JOIN ${name} ON id IN (${merged('id')}) ${ordered}`;
  };
