import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { LARGE_BODY } from '../../../contract/json-writer.ts';
import { pageOf } from '../../list-page.ts';
import { type Condition, type FilterValue, type List, perCombination, type Selection } from '../../lists.ts';
import { type Found, foundIn, searchStatement } from '../../search.ts';
import type { Page, PetQuery } from '../../store.ts';
import { rowStatement, type Table } from '../table.ts';

type Query = Pick<PetQuery, 'limit' | 'from'>;

/** How many rows a search looks at before other requests get their turn: a fraction of a millisecond, or a few if all texts are as long as they may be. */
export const SEARCHED_ROWS = 500;

/** Reads pages of a list that is ordered by the id, newest first. Each combination of filters is prepared once. */
export function pageReader<T, Q extends Query>(
  db: DatabaseSync,
  table: Table<T>,
  list: List<Q>,
): (query: Q) => Page {
  const make = (selection: Selection) => {
    const newest = selectFrom(table, selection)(table.list, limitOf(selection.placeholder(1)));
    return pageStatement(db, table, newest);
  };
  const statementFor = perCombination(list, { sign: '?', make, toValue });
  return (query) => {
    const { statement, values } = statementFor(query);
    values.push(query.limit + 1);
    return readPage(statement, values, query.limit);
  };
}

/** Looks at the rows of a list from where a query begins. */
export function searchReader<T, Q extends Query>(
  db: DatabaseSync,
  table: Table<T>,
  list: List<Q>,
): (query: Q) => Found {
  const make = (selection: Selection) => {
    const { order, searched, placeholder } = selection;
    const sql = searchStatement({
      select: selectFrom(table, selection),
      columns: order.join(', '),
      order: descending(order),
      matches: allOf(searched.map(conditionOf)),
      item: table.json,
      rows: SEARCHED_ROWS,
      limit: placeholder(1),
    });
    return rowStatement(db, sql);
  };
  const statementFor = perCombination(list, { sign: '?', make, toValue });
  return (query) => {
    const { statement, values } = statementFor(query);
    return foundIn(statement.all(...values, query.limit) as unknown as unknown[][]);
  };
}

function toValue(value: FilterValue): SQLInputValue {
  if (typeof value !== 'object') return value;
  return value instanceof Date ? value.getTime() : `[${value.join()}]`;
}

/**
 * A limit that is a parameter. As a plain one, SQLite would plan by its value and prepare the statement again on every call;
 * as text, each limit would be another statement to keep.
 */
const limitOf = (parameter: string): string => `${parameter} + 0`;

const descending = (columns: readonly string[]): string =>
  columns.map((column) => `${column} DESC`).join(', ');

const allOf = (conditions: readonly string[]): string => ['true', ...conditions].join(' AND ');

function conditionOf({ column, is, sql }: Condition): string {
  if (is === 'containing') return contains(column, sql);
  if (is === 'oneOf') return `${column} IN (SELECT value FROM json_each(${sql}))`;
  return `${column} ${{ equal: '=', atLeast: '>=', before: '<' }[is as 'equal']} ${sql}`;
}

/** The condition that a folded text contains another one. */
export const contains = (column: string, folded: string): string => `instr(${column}, ${folded}) > 0`;

function rangeOf(conditions: readonly Condition[]): string {
  const [from, others] = [
    conditions.filter(({ is }) => is === 'from'),
    conditions.filter(({ is }) => is !== 'from'),
  ];
  const columns = from.map(({ column }) => column).join(', ');
  const begins = from.length === 0 ? [] : [`(${columns}) <= (${from.map(({ sql }) => sql).join(', ')})`];
  return allOf([...begins, ...others.map(conditionOf)]);
}

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

/** A statement for the items of a SELECT, in its order, as one JSON array: a long one as bytes, which need no decoding. */
const pageStatement = <T>(db: DatabaseSync, { json }: Table<T>, select: string): StatementSync =>
  rowStatement(
    db,
    `SELECT CASE WHEN octet_length(page) > ${LARGE_BODY} THEN CAST(page AS BLOB) ELSE page END, items
     FROM (SELECT json_group_array(${json}) AS page, count(*) AS items FROM (${select}))`,
  );

function readPage(statement: StatementSync, values: readonly SQLInputValue[], limit: number): Page {
  const [page, items] = statement.get(...values) as unknown as [string | Uint8Array<ArrayBuffer>, bigint];
  const json = typeof page === 'string' ? page : Buffer.from(page.buffer, page.byteOffset, page.byteLength);
  return pageOf({ json, count: Number(items) }, limit);
}
