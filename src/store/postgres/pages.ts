import { INT64_MAX, INT64_MIN } from '../../contract/int64.ts';
import type { Pet } from '../../contract/pet.ts';
import { type NameQuery, namePageStatement } from '../name-page.ts';
import type { PageQuery } from '../store.ts';
import { arrayOf } from './arrays.ts';
import type { Db } from './connection.ts';
import { packedRow, packingOf, type Value } from './packed.ts';
import type { Table } from './table.ts';

/** A page that can be read together with others. */
export type SimplePage = Omit<PageQuery<string>, 'ids'>;

/** The limit of such a page at most: that of the API, and one item that shows if there are more. */
export const SIMPLE_PAGE_MAX = 101;

/** Reads pages of a table, newest first, each call in one statement. */
export function pageReader<T>(table: Table<T>) {
  const { pack, readAll, packLists, unpackLists } = packingOf(table);

  /**
   * A page with its limit as a value. The planner does not know it; the larger limit within makes it choose the index, and
   * the same plan for every value.
   */
  function newestFirst(condition: string, limit: string, most: number): string {
    const newest = `${table.select} ${condition} ORDER BY id DESC LIMIT`;
    if (most > SIMPLE_PAGE_MAX) return `${newest} ${limit}`;
    return `SELECT * FROM (${newest} ${SIMPLE_PAGE_MAX}) AS newest LIMIT ${limit}`;
  }

  /** Any page. Each combination of filters is prepared once per connection. */
  async function readPage(sql: Db, { limit, status, before, ids }: PageQuery<string>): Promise<T[]> {
    const values: Value[] = [limit];
    const where: string[] = [];
    if (status !== undefined) where.push(hasStatus(status));
    if (before !== undefined) where.push(`id < $${values.push(before)}`);
    if (ids !== undefined) where.push(`id = ANY ($${values.push(arrayOf(ids))}::int8[])`);
    const condition = where.length === 0 ? '' : `WHERE ${where.join(' AND ')}`;
    return readAll(sql, newestFirst(condition, '$1', limit), values);
  }

  /** Any number of pages, of the same state of the table. */
  async function readPages(sql: Db, pages: readonly SimplePage[]): Promise<T[][]> {
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
    return unpackLists(await packedRow(sql, statement, values));
  }
  const statements = new Map<string, string>();

  /** The statement for pages with each of these statuses, by three arrays: places, greatest ids, limits. */
  function pagesStatement(statuses: readonly (string | undefined)[]): string {
    const selects = statuses.map((status, i) => {
      const condition = `WHERE id <= last_id ${status === undefined ? '' : `AND ${hasStatus(status)}`}`;
      const page = newestFirst(condition, 'most', SIMPLE_PAGE_MAX);
      // A sub-select hides an array from the planner, which would otherwise make a new plan for each number of pages.
      const arrays = [1, 2, 3].map((n) => `(SELECT $${3 * i + n}::int8[])`).join(', ');
      return `SELECT * FROM unnest(${arrays}) AS asked (place, last_id, most) CROSS JOIN LATERAL (${pack(page)}) AS page`;
    });
    return packLists(selects);
  }

  return { readPage, readPages };
}

/** Reads pages of animals by name. */
export function namePageReader(table: Table<Pet>): (sql: Db, query: NameQuery) => Promise<Pet[]> {
  const { readAll } = packingOf(table);

  return async (sql, query) => {
    const values: Value[] = [];
    const parameter = (value: Value) => `$${values.push(value)}`;
    const isOneOf = (ids: readonly bigint[]) => `id = ANY (${parameter(arrayOf(ids))}::int8[])`;
    const page = namePageStatement(query, { list: table.list, parameter, count: parameter, isOneOf });
    return readAll(sql, page, values);
  };
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
