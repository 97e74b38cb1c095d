import { INT64_MAX, INT64_MIN } from '../../contract/int64.ts';
import type { Pet } from '../../contract/pet.ts';
import { type NameQuery, namePageStatement } from '../name-page.ts';
import { pageOf } from '../page.ts';
import type { Page, PageQuery } from '../store.ts';
import { arrayOf } from './arrays.ts';
import type { Db } from './connection.ts';
import type { Value } from './packed.ts';
import type { Table } from './table.ts';

/** A page that can be read together with others. */
export type SimplePage = Omit<PageQuery<string>, 'ids'>;

/** The limit of such a page at most: that of the API. */
export const SIMPLE_PAGE_MAX = 100;

/** Reads pages of a table, newest first, each call in one statement. */
export function pageReader<T>(table: Table<T>) {
  /**
   * A page, and one item that shows if there are more. The planner does not know the limit, which is a value; the larger one
   * within makes it choose the index, and the same plan for every value.
   */
  function newestFirst(condition: string, limit: string, most: number): string {
    const newest = `${table.select} ${condition} ORDER BY id DESC LIMIT`;
    if (most > SIMPLE_PAGE_MAX) return `${newest} ${limit} + 1`;
    return `SELECT * FROM (${newest} ${SIMPLE_PAGE_MAX + 1}) AS newest LIMIT ${limit} + 1`;
  }

  /** Any page. Each combination of filters is prepared once per connection. */
  async function readPage(sql: Db, { limit, status, before, ids }: PageQuery<string>): Promise<Page> {
    const values: Value[] = [limit];
    const where: string[] = [];
    if (status !== undefined) where.push(hasStatus(status));
    if (before !== undefined) where.push(`id < $${values.push(before)}`);
    if (ids !== undefined) where.push(`id = ANY ($${values.push(arrayOf(ids))}::int8[])`);
    const condition = where.length === 0 ? '' : `WHERE ${where.join(' AND ')}`;
    const text = await readText(sql, asText(table, newestFirst(condition, '$1::int8', limit)), values);
    return pageFrom(text, limit);
  }

  /** Any number of pages, of the same state of the table. */
  async function readPages(sql: Db, pages: readonly SimplePage[]): Promise<Page[]> {
    const [only, ...others] = pages;
    if (only && others.length === 0) return [await readPage(sql, only)];
    const places = new Map(pages.map((page, place) => [page, place]));
    const byStatus = [...Map.groupBy(pages, ({ status }) => status)].sort();
    const values = byStatus.flatMap(([, group]) => [
      arrayOf(group.map((page) => places.get(page))),
      arrayOf(group.map(lastId)),
      arrayOf(group.map(({ limit }) => limit)),
    ]);
    const statuses = byStatus.map(([status]) => status);
    const key = statuses.join();
    const statement = statements.get(key) ?? pagesStatement(statuses);
    statements.set(key, statement);
    const found: Page[] = [];
    // JSON contains no line break.
    for (const line of (await readText(sql, statement, values)).split('\n')) {
      const space = line.indexOf(' ');
      const place = Number(line.slice(0, space));
      found[place] = pageFrom(line.slice(space + 1), pages[place]?.limit ?? 0);
    }
    return found;
  }
  const statements = new Map<string, string>();

  /** The statement for pages with each of these statuses, by three arrays: places, greatest ids, limits. */
  function pagesStatement(statuses: readonly (string | undefined)[]): string {
    const selects = statuses.map((status, i) => {
      const condition = `WHERE id <= last_id ${status === undefined ? '' : `AND ${hasStatus(status)}`}`;
      const page = newestFirst(condition, 'most', SIMPLE_PAGE_MAX);
      // A sub-select hides an array from the planner, which would otherwise make a new plan for each number of pages.
      const arrays = [1, 2, 3].map((n) => `(SELECT $${3 * i + n}::int8[])`).join(', ');
      return `SELECT * FROM unnest(${arrays}) AS asked (place, last_id, most) CROSS JOIN LATERAL (${asText(table, page)}) AS page`;
    });
    return `SELECT string_agg(concat_ws(' ', place, page), E'\\n') FROM (${selects.join(' UNION ALL ')}) AS pages`;
  }

  return { readPage, readPages };
}

/** Reads pages of animals by name. */
export function namePageReader(table: Table<Pet>): (sql: Db, query: NameQuery) => Promise<Page> {
  return async (sql, query) => {
    const values: Value[] = [];
    const parameter = (value: Value) => `$${values.push(value)}`;
    const isOneOf = (ids: readonly bigint[]) => `id = ANY (${parameter(arrayOf(ids))}::int8[])`;
    const page = namePageStatement(query, { list: table.list, parameter, count: parameter, isOneOf });
    return pageFrom(await readText(sql, asText(table, page), values), query.limit);
  };
}

/** One text for the rows of a SELECT, in their order: how many there are, and the items as JSON. */
const asText = <T>({ json }: Table<T>, select: string): string =>
  `SELECT concat_ws(' ', count(*), string_agg(${json}, ',')) AS page FROM (${select}) AS item`;

async function readText(sql: Db, statement: string, values: Value[]): Promise<string> {
  const rows: unknown = await sql.unsafe(statement, values, { prepare: true }).values();
  return (rows as [[string]])[0][0];
}

function pageFrom(text: string, limit: number): Page {
  const [count = ''] = text.split(' ', 1);
  return pageOf(`[${text.slice(count.length + 1)}]`, Number(count), limit);
}

/** The greatest id that the page may contain. */
function lastId({ before }: SimplePage): bigint {
  if (before === undefined) return INT64_MAX;
  return before === INT64_MIN ? before : before - 1n;
}

/** With a literal, because the planner uses a partial index only if it can prove the condition when it plans. */
function hasStatus(status: string): string {
  if (!/^[a-z]+$/.test(status)) throw new Error('a status must be a plain word');
  return `status = '${status}'`;
}
