import { INT64_MAX } from '../../../contract/int64.ts';
import { PetStatus } from '../../../contract/pet.ts';
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
import { foundIn, searchInSteps, searchOf } from '../../search.ts';
import type { Page, PetQuery } from '../../store.ts';
import type { Db, TextRow, Value } from '../pool/connection.ts';
import { arrayOf, type Table } from '../table.ts';

type Query = Pick<PetQuery, 'limit' | 'from'>;
/** A page that can be read together with others. */
export type SimplePage = Omit<PetQuery, 'ids' | 'name'>;

/** Maximum limit of such a page: that of the API. */
export const SIMPLE_PAGE_MAX = 100;

/** How many rows a search looks at in one statement. */
const SEARCHED_ROWS = 5000;

/** The condition that a folded text contains every word of a list. Most texts do not contain the first one, so that cheap test comes first. */
export const contains = (column: string, words: string): string =>
  `strpos(${column}, (${words}::text[])[1]) > 0 AND NOT EXISTS (SELECT FROM unnest(${words}::text[]) AS word WHERE strpos(${column}, word) = 0)`;

const dialect: Dialect<Value> = {
  sign: '$',
  isOneOf: (column, list) => `${column} = ANY (${list}::int8[])`,
  contains,
  countOf: (words) => `cardinality(${words}::text[])`,
  toValue(value) {
    if (typeof value !== 'object') return value;
    return value instanceof Date ? value.toISOString() : arrayOf(value);
  },
};

/**
 * Selects all columns of the rows of a range in the order of the list, `most` at most. The range is read as one range of its index, backwards: the planner
 * takes no other one, because only this one has the order of the inner SELECT. With `=` for a column, it would not count for the order, and another index
 * could be read past any number of rows with other values. A row comparison ends the scan of an index by its first column only (before PostgreSQL 18), so
 * it begins with the last one of those that are equal, and `= ANY` leads to it. Outside, `=` tells the planner that the rows are in the order of the list.
 *
 * `most` is a constant, which tells the planner that the rows are few: for a parameter, it would expect a tenth of all.
 */
function rowsIn(
  table: string,
  order: readonly string[],
  conditions: readonly Condition[],
  most: number,
): string {
  const of = (...kinds: Condition['is'][]) => conditions.filter(({ is }) => kinds.includes(is));
  const [equal, others] = [of('equal'), of('atLeast', 'before')];
  const last = equal.slice(-1);
  const where = [
    ...equal.slice(0, -1).map(({ column, sql }) => `${column} = ANY (ARRAY[${sql}::int8])`),
    ...upTo([...last, ...of('from')]),
    ...last.map(({ column, sql }) => `${column} >= ${sql}`),
    ...others.map(compare),
  ];
  const indexed = descending([...equal.map(({ column }) => column), ...order]);
  return `SELECT * FROM (SELECT * FROM ${table} WHERE ${allOf(where)} ORDER BY ${indexed} LIMIT ${most}) AS range
    WHERE ${allOf(equal.map(compare))} ORDER BY ${descending(order)}`;
}

/** Selects columns of the rows of several ranges, which are merged as far as the limit. */
const merge =
  (ranges: readonly string[], order: readonly string[]) =>
  (columns: string, limit: string): string =>
    `SELECT ${columns} FROM (${ranges.map((range) => `(${range})`).join(' UNION ALL ')}) AS merged
     ORDER BY ${descending(order)} LIMIT ${limit}`;

/** Selects columns of the rows of a list, at most `most` of each range. */
function selectFrom<T>({ name }: Table<T>, { ranges, each, order }: Selection, most: number) {
  const selects = ranges.map((range) => {
    const given = range.find(({ is }) => is === 'oneOf');
    // Rows with given ids are read by id first: by another index, any number of other rows could have to be looked at.
    const rows = given && `(SELECT * FROM ${name} WHERE id = ANY (${given.sql}::int8[]) OFFSET 0) AS given`;
    return rowsIn(rows ?? name, order, range, most);
  });
  const merged = merge(selects, order);
  if (each === undefined) return merged;
  // The first rows of each value, and then the first of those.
  return (columns: string, limit: string) =>
    `SELECT ${columns} FROM unnest(${each}::int8[]) AS each_value CROSS JOIN LATERAL (${merged('*', limit)}) AS first
     ORDER BY ${descending(order)} LIMIT ${limit}`;
}

/** A constant that bounds a limit: the same one for every simple page. */
export const mostOf = (limit: number): number => Math.max(limit, SIMPLE_PAGE_MAX) + 1;

/** Reads pages of a list that is ordered by the id, newest first. Each combination of filters is prepared once per connection. */
export function pageReader<T, Q extends Query>(table: Table<T>, list: List<Q>) {
  const statementFor = perCombination(list, dialect, (selection) => {
    const statement = (limit: number) =>
      asText(table, selectFrom(table, selection, mostOf(limit))('*', `${selection.limit}::int8 + 1`));
    const simple = statement(SIMPLE_PAGE_MAX);
    return (limit: number) => (limit <= SIMPLE_PAGE_MAX ? simple : statement(limit));
  });
  return async (sql: Db, query: Q): Promise<Page> => {
    const { statement, values } = statementFor(query);
    const text = await readText(sql, statement(query.limit), [...values, query.limit]);
    return pageFrom(text, query.limit);
  };
}

/** Reads pages of rows that no index finds, by looking at a bounded number of rows. */
export function searchReader<T, Q extends Query>(table: Table<T>, list: List<Q>) {
  const statementFor = perCombination(list, dialect, (selection) => {
    const limit = `${selection.limit}::int8`;
    return searchOf(
      table,
      { ...selection, limit },
      selectFrom(table, selection, SEARCHED_ROWS + 1),
      SEARCHED_ROWS,
    );
  });
  return (sql: Db, query: Q): Promise<Page> =>
    searchInSteps(query, SEARCHED_ROWS, async (step) => {
      const { statement, values } = statementFor(step);
      const rows = await sql.query(statement, [...values, step.limit]);
      return foundIn(rows.map(placed), step.limit);
    });
}

/** A row of a search: a time, if the list is ordered by one, an id, the bytes and the item. */
const placed = (row: TextRow): unknown[] => [
  ...row.slice(0, -3).map((time) => new Date(time ?? '')),
  BigInt(row.at(-3) ?? 0),
  ...row.slice(-2),
];

/** Any number of simple pages of animals, of the same state of the table, in one statement. */
export function pagesReader<T>(table: Table<T>) {
  const statement = pagesOf(table);
  return async (sql: Db, pages: readonly SimplePage[]): Promise<Page[]> => {
    const values = [
      arrayOf(pages.map(({ categoryId }) => categoryId)),
      arrayOf(pages.map(({ status }) => status)),
      arrayOf(pages.map(({ from }) => from?.id ?? INT64_MAX)),
      arrayOf(pages.map(({ limit }) => limit)),
    ];
    const found: Page[] = [];
    // JSON contains no line break.
    const lines = await readText(sql, statement, values);
    for (const line of lines.split('\n')) {
      const space = line.indexOf(' ');
      const place = Number(line.slice(0, space)) - 1;
      found[place] = pageFrom(line.slice(space + 1), pages[place]?.limit ?? 0);
    }
    return found;
  };
}

/** The statement for pages with and without a category and a status, by four arrays: categories, statuses, greatest ids, limits. */
function pagesOf<T>(table: Table<T>): string {
  // A sub-select hides an array from the planner, which would otherwise make a new plan for each number of pages.
  const arrays = ['int8', 'text', 'int8', 'int8']
    .map((type, i) => `(SELECT $${i + 1}::${type}[])`)
    .join(', ');
  const columns = 'asked_category, asked_status, last_id, most, place';
  const category: Condition = { column: 'category_id', is: 'equal', sql: 'asked_category' };
  const status = (sql: string): Condition => ({ column: 'status', is: 'equal', sql });
  const from: Condition = { column: 'id', is: 'from', sql: 'last_id' };
  const rows = (...equal: Condition[]) =>
    rowsIn(table.name, ['id'], [...equal, from], mostOf(SIMPLE_PAGE_MAX));
  const kinds = {
    'asked_category IS NULL AND asked_status IS NULL': [rows()],
    'asked_category IS NULL AND asked_status IS NOT NULL': [rows(status('asked_status'))],
    'asked_category IS NOT NULL AND asked_status IS NOT NULL': [rows(category, status('asked_status'))],
    'asked_category IS NOT NULL AND asked_status IS NULL': PetStatus.options.map((one) =>
      rows(category, status(`'${one}'`)),
    ),
  };
  const selects = Object.entries(kinds).map(
    ([condition, ranges]) =>
      `SELECT place, page FROM asked CROSS JOIN LATERAL (${asText(table, merge(ranges, ['id'])('*', 'most + 1'))}) AS page WHERE ${condition}`,
  );
  return `WITH asked AS MATERIALIZED (SELECT * FROM unnest(${arrays}) WITH ORDINALITY AS asked (${columns}))
    SELECT string_agg(concat_ws(' ', place, page), E'\\n') FROM (${selects.join(' UNION ALL ')}) AS pages`;
}

/** One text for the rows of a SELECT, the newest first: how many there are, and the items as JSON. */
const asText = <T>({ json }: Table<T>, select: string): string =>
  `SELECT concat_ws(' ', count(*), string_agg(${json}, ',' ORDER BY id DESC)) AS page FROM (${select}) AS item`;

/** The only column of the only row. */
async function readText(sql: Db, statement: string, values: Value[]): Promise<string> {
  const [row] = await sql.query(statement, values);
  return row?.[0] ?? '';
}

function pageFrom(text: string, limit: number): Page {
  const [count = ''] = text.split(' ', 1);
  const json = `[${text.slice(count.length + 1)}]`;
  return pageOf({ json, count: Number(count) }, limit);
}
