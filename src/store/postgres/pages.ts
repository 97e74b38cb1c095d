import { INT64_MAX, INT64_MIN } from '../../contract/int64.ts';
import type { Pet } from '../../contract/pet.ts';
import { type NameQuery, namePageStatement } from '../name-page.ts';
import type { PageQuery } from '../store.ts';
import { arrayOf } from './arrays.ts';
import type { Db } from './connection.ts';
import { type Packed, packingOf } from './packed.ts';
import type { Table } from './table.ts';

/** A page of a table, newest first, in one round trip. Each combination of filters is prepared once per connection. */
export async function readPage<T>(sql: Db, table: Table<T>, query: PageQuery<string>): Promise<T[]> {
  const { limit, status, before, ids } = query;
  const values: (string | bigint | number)[] = [limit];
  const where: string[] = [];
  if (status !== undefined) where.push(hasStatus(status));
  if (before !== undefined) where.push(`id < $${values.push(before)}`);
  if (ids !== undefined) where.push(`id = ANY ($${values.push(arrayOf(ids))}::int8[])`);
  const condition = where.length === 0 ? '' : `WHERE ${where.join(' AND ')}`;
  const statement = `${table.select} ${condition} ORDER BY id DESC LIMIT $1`;
  return (await sql.unsafe(statement, values, { prepare: true })).map(table.fromRow);
}

/** A page that can be read together with others. */
export type SimplePage = Omit<PageQuery<string>, 'ids'>;

/** The limit of such a page at most: that of the API, and the row that shows if there are more. */
export const SIMPLE_PAGE_MAX = 101;

/** A function that reads any number of pages of a table in one statement, in one snapshot. */
export function pagesReader<T>(table: Table<T>): (sql: Db, pages: readonly SimplePage[]) => Promise<T[][]> {
  const { columns, unpack } = packingOf(table);

  return async (sql, pages) => {
    const values: string[] = [];
    // A sub-select hides the array from the planner: it would otherwise make a new plan for each number of pages.
    const array = (elements: readonly (bigint | number)[]) =>
      `(SELECT $${values.push(arrayOf(elements))}::int8[])`;
    const places = new Map(pages.map((page, place) => [page, place]));
    const selects = [...Map.groupBy(pages, ({ status }) => status)].sort().map(([status, group]) => {
      const asked = [group.map((page) => places.get(page) as number), group.map(lastId), group.map(limitOf)];
      const condition = status === undefined ? '' : `AND ${hasStatus(status)}`;
      // The planner does not know the limit of a page. The larger one within makes it choose the index.
      return `
        SELECT place, packed.* FROM unnest(${asked.map(array).join(', ')}) AS asked (place, last_id, most)
        CROSS JOIN LATERAL (
          SELECT ${columns} FROM (
            SELECT * FROM (
              SELECT * FROM ${table.name} WHERE id <= last_id ${condition} ORDER BY id DESC LIMIT ${SIMPLE_PAGE_MAX}
            ) AS newest LIMIT most
          ) AS page
        ) AS packed`;
    });
    const statement = selects.join(' UNION ALL ');
    const rows: unknown = await sql.unsafe(statement, values, { prepare: true }).values();
    const results: T[][] = [];
    for (const [place, ...packed] of rows as [bigint, ...Packed][]) results[Number(place)] = unpack(packed);
    return results;
  };
}

const limitOf = ({ limit }: SimplePage): number => limit;

/** The greatest id that the page may contain. */
function lastId({ before }: SimplePage): bigint {
  if (before === undefined) return INT64_MAX;
  return before === INT64_MIN ? before : before - 1n;
}

/** A page of animals by name. */
export async function readNamePage(sql: Db, { list, fromRow }: Table<Pet>, query: NameQuery): Promise<Pet[]> {
  const values: (string | bigint | number)[] = [];
  const parameter = (value: string | bigint | number) => `$${values.push(value)}`;
  const isOneOf = (ids: readonly bigint[]) => `id = ANY (${parameter(arrayOf(ids))}::int8[])`;
  const statement = namePageStatement(query, { list, parameter, count: parameter, isOneOf });
  return (await sql.unsafe(statement, values, { prepare: true })).map(fromRow);
}

/** With a literal, because the planner uses a partial index only if it can prove the condition when it plans. */
function hasStatus(status: string): string {
  if (!/^[a-z]+$/.test(status)) throw new Error('a status must be a plain word');
  return `status = '${status}'`;
}
