import { INT64_MAX } from '../../contract/int64.ts';
import type { Pet } from '../../contract/pet.ts';
import {
  CANDIDATES_MAX,
  categoryPageStatement,
  namePageStatement,
  pageOf,
  pageOfCandidates,
} from '../page.ts';
import type { OrderQuery, Page, PageQuery, PetQuery } from '../store.ts';
import type { Value } from './all-rows.ts';
import type { Db } from './pool/connection.ts';
import { arrayOf, type Table } from './table.ts';

type TableQuery = PageQuery<string> & Pick<OrderQuery, 'petId'>;
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
  function newestFirst(condition: string, limit: string, most: number, order = 'id DESC'): string {
    const newest = `${table.select} ${condition} ORDER BY ${order} LIMIT`;
    if (most > SIMPLE_PAGE_MAX) return `${newest} ${limit} + 1`;
    return `SELECT * FROM (${newest} ${SIMPLE_PAGE_MAX + 1}) AS newest LIMIT ${limit} + 1`;
  }

  /** Any page. Each combination of filters is prepared once per connection. */
  async function readPage(sql: Db, { limit, status, from, ids, petId }: TableQuery): Promise<Page> {
    const values: Value[] = [limit];
    if (petId !== undefined) {
      const { condition, order } = ofPet(
        `$${values.push(petId)}`,
        status,
        `$${values.push(from?.id ?? INT64_MAX)}`,
      );
      const page = newestFirst(condition, '$1::int8', limit, order);
      const [text] = await readRow(sql, asText(table, page), values);
      return pageFrom(text, limit);
    }
    const where: string[] = [];
    if (status !== undefined) where.push(hasStatus(status));
    if (from !== undefined) where.push(`id <= $${values.push(from.id)}`);
    if (ids !== undefined) where.push(`id = ANY ($${values.push(arrayOf(ids))}::int8[])`);
    const condition = where.length === 0 ? '' : `WHERE ${where.join(' AND ')}`;
    const [text] = await readRow(sql, asText(table, newestFirst(condition, '$1::int8', limit)), values);
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
      arrayOf(group.map(greatestId)),
      arrayOf(group.map(({ limit }) => limit)),
    ]);
    const statuses = byStatus.map(([status]) => status);
    const key = statuses.join();
    const statement = statements.get(key) ?? pagesStatement(statuses);
    statements.set(key, statement);
    const found: Page[] = [];
    // JSON contains no line break.
    const [lines] = await readRow(sql, statement, values);
    for (const line of lines.split('\n')) {
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

/** Reads pages of animals by name, by category or both. */
export function searchReader(table: Table<Pet>): (sql: Db, query: PetQuery) => Promise<Page> {
  return async (sql, query) => {
    const { limit, name, categoryId } = query;
    const values: Value[] = [];
    const parameter = (value: Value) => `$${values.push(value)}`;
    const isOneOf = (ids: readonly bigint[]) => `id = ANY (${parameter(arrayOf(ids))}::int8[])`;
    const dialect = { list: table.list, parameter, count: parameter, isOneOf };
    if (name === undefined) {
      const page = categoryPageStatement({ ...query, categoryId: categoryId as bigint }, dialect);
      const [text] = await readRow(sql, asText(table, page), values);
      return pageFrom(text, limit);
    }
    if (categoryId === undefined) {
      const page = namePageStatement({ ...query, name }, dialect);
      const [text, nameKey] = await readRow(sql, asText(table, page, 'max(folded_name)'), values);
      return pageFrom(text, limit, nameKey);
    }
    const page = namePageStatement({ ...query, name }, dialect, CANDIDATES_MAX + 1);
    const statement = `SELECT id, folded_name, CASE WHEN category_id = ${parameter(categoryId)} THEN ${table.json} END AS json
      FROM (${page}) AS candidate ORDER BY folded_name, id`;
    const rows = await sql.unsafe(statement, values, { prepare: true });
    const candidates = rows.map(({ id, folded_name: nameKey, json }) => ({
      position: { id, nameKey },
      json,
    }));
    return pageOfCandidates(candidates, limit, CANDIDATES_MAX);
  };
}

/** One text for the rows of a SELECT, in their order: how many there are, and the items as JSON. */
const asText = <T>({ json }: Table<T>, select: string, ...more: string[]): string =>
  `SELECT ${[`concat_ws(' ', count(*), string_agg(${json}, ',')) AS page`, ...more].join(', ')} FROM (${select}) AS item`;

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

/** The greatest id that the page may contain. */
const greatestId = ({ from }: SimplePage): bigint => from?.id ?? INT64_MAX;

/**
 * The orders of an animal, as one range of an index on these columns, in its order. With `pet_id = …` the planner could go through all
 * orders in the order of their ids instead, because it expects those of an animal with many to be everywhere.
 */
function ofPet(
  petId: string,
  status: string | undefined,
  lastId: string,
): { condition: string; order: string } {
  const [column, value] = status === undefined ? ['', ''] : ['status, ', `'${plainWord(status)}', `];
  const columns = `(pet_id, ${column}id)`;
  return {
    condition: `WHERE ${columns} >= (${petId}::int8, ${value}0::int8) AND ${columns} <= (${petId}::int8, ${value}${lastId}::int8)`,
    order: `pet_id DESC, ${status === undefined ? '' : 'status DESC, '}id DESC`,
  };
}

/** With a literal, because the planner uses a partial index only if it can prove the condition when it plans. */
const hasStatus = (status: string): string => `status = '${plainWord(status)}'`;

function plainWord(status: string): string {
  if (!/^[a-z]+$/.test(status)) throw new Error('a status must be a plain word');
  return status;
}
