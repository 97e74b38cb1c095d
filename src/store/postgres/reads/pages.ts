import { INT64_MAX } from '../../../contract/int64.ts';
import { OrderStatus } from '../../../contract/order.ts';
import { PetStatus } from '../../../contract/pet.ts';
import { pageOf } from '../../list-page.ts';
import type { OrderQuery, Page, PageQuery, PetQuery } from '../../store.ts';
import type { Db } from '../pool/connection.ts';
import { arrayOf, type Table } from '../table.ts';
import type { Value } from './all-rows.ts';

type Filters = Pick<PetQuery, 'categoryId'> & Pick<OrderQuery, 'petId'>;
type TableQuery = PageQuery<string> & Filters;
/** A page that can be read together with others. */
export type SimplePage = Pick<PageQuery<string>, 'limit' | 'status' | 'from'> & Pick<PetQuery, 'categoryId'>;

/** The limit of such a page at most: that of the API. */
export const SIMPLE_PAGE_MAX = 100;

/**
 * The first rows of a SELECT in an order: a page, and one row that shows if there are more. The planner does not know a limit that is a
 * value, and would expect a tenth of all rows. That of a simple page tells it that they are few, so that it reads an index in this order,
 * whatever the server's settings say about the cost of that.
 */
export function firstRows(select: string, order: string, limit: string, most: number): string {
  const few = most > SIMPLE_PAGE_MAX ? 'ALL' : SIMPLE_PAGE_MAX + 1;
  return `SELECT * FROM (${select} ORDER BY ${order} LIMIT ${few}) AS page ORDER BY ${order} LIMIT ${limit} + 1`;
}

/** Rows as a range of an index, read backwards: the newest first. */
export interface Range {
  readonly where: string;
  readonly order: string;
}

/**
 * The rows with these values of these columns, as one range of the index on them and the id. It compares whole keys, because with
 * `status = …` the planner may read another index in the order of ids, past any number of rows with other values.
 */
function rangeOf(values: Readonly<Record<string, string>>, lastId: string): Range {
  const [columns, wanted] = [Object.keys(values), Object.values(values)];
  const key = [...columns, 'id'];
  const range = [`(${key.join(', ')}) <= (${[...wanted, lastId].join(', ')})`];
  if (columns.length > 0) range.push(`(${columns.join(', ')}) >= (${wanted.join(', ')})`);
  return { where: range.join(' AND '), order: key.map((column) => `${column} DESC`).join(', ') };
}

/** The rows of a query, as one range or several. */
export function rangesOf(
  { status, from, categoryId, petId }: Omit<TableQuery, 'limit'>,
  parameter: (value: Value) => string,
): Range[] {
  const lastId = `${parameter(from?.id ?? INT64_MAX)}::int8`;
  const columns: Record<string, string> = {};
  if (categoryId !== undefined) columns.category_id = `${parameter(categoryId)}::int8`;
  if (petId !== undefined) columns.pet_id = `${parameter(petId)}::int8`;
  const withStatus = (one: string) => rangeOf({ ...columns, status: `${parameter(one)}::text` }, lastId);
  if (status !== undefined) return [withStatus(status)];
  if (Object.keys(columns).length === 0) return [rangeOf(columns, lastId)];
  // The index on such a column has the status before the id, and so serves pages with and without a status.
  const statuses = petId === undefined ? PetStatus.options : OrderStatus.options;
  return statuses.map(withStatus);
}

const newestIn = (
  { select }: Pick<Table<unknown>, 'select'>,
  { where, order }: Range,
  limit: string,
  most: number,
): string => firstRows(`${select} WHERE ${where}`, order, limit, most);

const NEWEST_FIRST = 'id DESC';

/** Reads pages of a table, newest first, each call in one statement. */
export function pageReader<T>(table: Table<T>) {
  /** Any page. Each combination of filters is prepared once per connection. */
  async function readPage(sql: Db, query: TableQuery): Promise<Page> {
    const values: Value[] = [query.limit];
    const page = query.ids ? pageOfGiven(query, query.ids, values) : pageOfRanges(query, values);
    const text = await readText(sql, asText(table, page, NEWEST_FIRST), values);
    return pageFrom(text, query.limit);
  }

  function pageOfRanges(query: TableQuery, values: Value[]): string {
    const ranges = rangesOf(query, (value) => `$${values.push(value)}`);
    const newest = ranges.map((range) => newestIn(table, range, '$1::int8', query.limit));
    return newest.length === 1 ? (newest[0] as string) : merged(newest);
  }

  /** The rows are read by their ids first: by a category, there could be any number of them to look at. */
  function pageOfGiven(
    { status, from, categoryId }: TableQuery,
    ids: readonly bigint[],
    values: Value[],
  ): string {
    const given = `${table.select} WHERE id = ANY ($${values.push(arrayOf(ids))}::int8[])`;
    const where = [`id <= $${values.push(from?.id ?? INT64_MAX)}`];
    if (status !== undefined) where.push(`status = $${values.push(status)}`);
    if (categoryId !== undefined) where.push(`category_id = $${values.push(categoryId)}`);
    const select = `WITH given AS MATERIALIZED (${given}) SELECT * FROM given WHERE ${where.join(' AND ')}`;
    return `${select} ORDER BY ${NEWEST_FIRST} LIMIT $1::int8 + 1`;
  }

  let pagesStatement: string | undefined;

  /** Any number of pages of animals, of the same state of the table. */
  async function readPages(sql: Db, pages: readonly SimplePage[]): Promise<Page[]> {
    const [only, ...others] = pages;
    if (only && others.length === 0) return [await readPage(sql, only)];
    const values = [
      arrayOf(pages.map(({ categoryId }) => categoryId)),
      arrayOf(pages.map(({ status }) => status)),
      arrayOf(pages.map(({ from }) => from?.id ?? INT64_MAX)),
      arrayOf(pages.map(({ limit }) => limit)),
    ];
    const found: Page[] = [];
    // JSON contains no line break.
    pagesStatement ??= pagesOf(table);
    const lines = await readText(sql, pagesStatement, values);
    for (const line of lines.split('\n')) {
      const space = line.indexOf(' ');
      const place = Number(line.slice(0, space)) - 1;
      found[place] = pageFrom(line.slice(space + 1), pages[place]?.limit ?? 0);
    }
    return found;
  }

  return { readPage, readPages };
}

/** The statement for pages with and without a category and a status, by four arrays: categories, statuses, greatest ids, limits. */
function pagesOf<T>(table: Table<T>): string {
  // A sub-select hides an array from the planner, which would otherwise make a new plan for each number of pages.
  const arrays = ['int8', 'text', 'int8', 'int8']
    .map((type, i) => `(SELECT $${i + 1}::${type}[])`)
    .join(', ');
  const columns = 'asked_category, asked_status, last_id, most, place';
  const newest = (values: Record<string, string>) =>
    newestIn(table, rangeOf(values, 'last_id'), 'most', SIMPLE_PAGE_MAX);
  const category = { category_id: 'asked_category' };
  const kinds = {
    'asked_category IS NULL AND asked_status IS NULL': newest({}),
    'asked_category IS NULL AND asked_status IS NOT NULL': newest({ status: 'asked_status' }),
    'asked_category IS NOT NULL AND asked_status IS NOT NULL': newest({
      ...category,
      status: 'asked_status',
    }),
    'asked_category IS NOT NULL AND asked_status IS NULL': merged(
      PetStatus.options.map((status) => newest({ ...category, status: `'${status}'` })),
      'most',
    ),
  };
  const selects = Object.entries(kinds).map(
    ([condition, page]) =>
      `SELECT place, page FROM asked CROSS JOIN LATERAL (${asText(table, page, NEWEST_FIRST)}) AS page WHERE ${condition}`,
  );
  return `WITH asked AS MATERIALIZED (SELECT * FROM unnest(${arrays}) WITH ORDINALITY AS asked (${columns}))
    SELECT string_agg(concat_ws(' ', place, page), E'\\n') FROM (${selects.join(' UNION ALL ')}) AS pages`;
}

/** The newest of several ranges, each of which is cut to the limit before. */
function merged(ranges: readonly string[], limit = '$1::int8'): string {
  const parts = ranges.map((select, i) => `SELECT * FROM (${select}) AS part${i}`);
  return `${parts.join(' UNION ALL ')} ORDER BY ${NEWEST_FIRST} LIMIT ${limit} + 1`;
}

/** One text for the rows of a SELECT, in this order: how many there are, and the items as JSON. */
const asText = <T>({ json }: Table<T>, select: string, order: string): string =>
  `SELECT concat_ws(' ', count(*), string_agg(${json}, ',' ORDER BY ${order})) AS page FROM (${select}) AS item`;

/** The only column of the only row. */
async function readText(sql: Db, statement: string, values: Value[]): Promise<string> {
  const rows: unknown = await sql.unsafe(statement, values, { prepare: true }).values();
  return (rows as [[string]])[0][0];
}

function pageFrom(text: string, limit: number): Page {
  const [count = ''] = text.split(' ', 1);
  const json = `[${text.slice(count.length + 1)}]`;
  return pageOf({ json, count: Number(count) }, limit);
}
