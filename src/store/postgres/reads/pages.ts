import { INT64_MAX } from '../../../contract/int64.ts';
import { OrderStatus } from '../../../contract/order.ts';
import { type Pet, PetStatus } from '../../../contract/pet.ts';
import { CANDIDATES_MAX, namePageStatement, pageOf, pageOfCandidates } from '../../list-page.ts';
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

/**
 * The newest rows with these values of these columns: one range of the index on them and the id, read backwards. It compares whole keys,
 * because with `status = …` the planner may read another index in the order of ids, past any number of rows with other values.
 */
function newestIn(
  { select }: Pick<Table<unknown>, 'select'>,
  values: Readonly<Record<string, string>>,
  lastId: string,
  limit: string,
  most: number,
): string {
  const [columns, wanted] = [Object.keys(values), Object.values(values)];
  const key = [...columns, 'id'];
  const range = [`(${key.join(', ')}) <= (${[...wanted, lastId].join(', ')})`];
  if (columns.length > 0) range.push(`(${columns.join(', ')}) >= (${wanted.join(', ')})`);
  const order = key.map((column) => `${column} DESC`).join(', ');
  return firstRows(`${select} WHERE ${range.join(' AND ')}`, order, limit, most);
}

const NEWEST_FIRST = 'id DESC';

/** Reads pages of a table, newest first, each call in one statement. */
export function pageReader<T>(table: Table<T>) {
  /** Any page. Each combination of filters is prepared once per connection. */
  async function readPage(sql: Db, query: TableQuery): Promise<Page> {
    const values: Value[] = [query.limit];
    const page = query.ids ? pageOfGiven(query, query.ids, values) : pageOfRanges(query, values);
    const [text] = await readRow(sql, asText(table, page, NEWEST_FIRST), values);
    return pageFrom(text, query.limit);
  }

  function pageOfRanges({ limit, status, from, categoryId, petId }: TableQuery, values: Value[]): string {
    const lastId = `$${values.push(from?.id ?? INT64_MAX)}::int8`;
    const columns: Record<string, string> = {};
    if (categoryId !== undefined) columns.category_id = `$${values.push(categoryId)}::int8`;
    if (petId !== undefined) columns.pet_id = `$${values.push(petId)}::int8`;
    const withStatus = (one: string) => ({ ...columns, status: `$${values.push(one)}::text` });
    const newest = (of: Record<string, string>) => newestIn(table, of, lastId, '$1::int8', limit);
    if (status !== undefined) return newest(withStatus(status));
    if (Object.keys(columns).length === 0) return newest(columns);
    // The index on such a column has the status before the id, and so serves pages with and without a status.
    const statuses = petId === undefined ? PetStatus.options : OrderStatus.options;
    return merged(statuses.map((one) => newest(withStatus(one))));
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
    const [lines] = await readRow(sql, pagesStatement, values);
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
    newestIn(table, values, 'last_id', 'most', SIMPLE_PAGE_MAX);
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

/** Reads pages of animals by name, and by category if that is given. */
export function searchReader(table: Table<Pet>) {
  return async (sql: Db, query: PetQuery & { readonly name: string }): Promise<Page> => {
    const { limit, categoryId } = query;
    const values: Value[] = [];
    const parameter = (value: Value) => `$${values.push(value)}`;
    const isOneOf = (ids: readonly bigint[]) => `id = ANY (${parameter(arrayOf(ids))}::int8[])`;
    const dialect = { list: table.list, parameter, count: parameter, isOneOf };
    const order = 'folded_name, id';
    if (categoryId === undefined) {
      const page = asText(table, namePageStatement(query, dialect), order, 'max(folded_name)');
      const [text, nameKey] = await readRow(sql, page, values);
      return pageFrom(text, limit, nameKey);
    }
    const page = namePageStatement(query, dialect, CANDIDATES_MAX + 1);
    const statement = `SELECT id, folded_name, CASE WHEN category_id = ${parameter(categoryId)} THEN ${table.json} END AS json
      FROM (${page}) AS candidate ORDER BY ${order}`;
    const rows = await sql.unsafe(statement, values, { prepare: true });
    const candidates = rows.map(({ id, folded_name: nameKey, json }) => ({
      position: { id, nameKey },
      json,
    }));
    return pageOfCandidates(candidates, limit, CANDIDATES_MAX);
  };
}

/** One text for the rows of a SELECT, in this order: how many there are, and the items as JSON. */
const asText = <T>({ json }: Table<T>, select: string, order: string, ...more: string[]): string =>
  `SELECT ${[`concat_ws(' ', count(*), string_agg(${json}, ',' ORDER BY ${order})) AS page`, ...more].join(', ')} FROM (${select}) AS item`;

/** The text of the page, and what was selected besides. */
async function readRow(sql: Db, statement: string, values: Value[]): Promise<[string, ...string[]]> {
  const rows: unknown = await sql.unsafe(statement, values, { prepare: true }).values();
  return (rows as [[string, ...string[]]])[0];
}

function pageFrom(text: string, limit: number, nameKey?: string): Page {
  const [count = ''] = text.split(' ', 1);
  const json = `[${text.slice(count.length + 1)}]`;
  return pageOf({ json, count: Number(count), nameKey }, limit);
}
