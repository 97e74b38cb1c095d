import type { Category } from '../../contract/category.ts';
import { INT64_MIN } from '../../contract/int64.ts';
import { keyRange } from '../../contract/name-key.ts';
import { greatestBelow } from '../category-ids.ts';
import { pageOfCandidates } from '../list-page.ts';
import type { CategoryQuery, Page } from '../store.ts';
import { tables } from '../tables.ts';
import type { Db } from './pool/connection.ts';
import { firstRows } from './reads/pages.ts';
import { defineTable } from './table.ts';

export const categoryTable = defineTable(tables.categories);

const NAMED = `
  SELECT id, name_key, ${categoryTable.json} AS json FROM categories
  WHERE (name_key, id) >= ($1, $2::int8) AND name_key < $3`;

export async function listCategories(sql: Db, { limit, from, name = '' }: CategoryQuery): Promise<Page> {
  const range = keyRange(name);
  const start = [from?.nameKey ?? range.from, from?.id ?? INT64_MIN];
  const page = firstRows(NAMED, 'name_key, id', '$4::int8', limit);
  const rows = await sql.unsafe(page, [...start, range.to, limit], { prepare: true });
  const candidates = rows.map(({ id, name_key: key, json }) => ({ position: { id, nameKey: key }, json }));
  return pageOfCandidates(candidates, limit);
}

export async function getCategory(sql: Db, id: bigint): Promise<Category | undefined> {
  const [row] = await sql.unsafe(`${categoryTable.select} WHERE id = $1`, [id], { prepare: true });
  return row && categoryTable.fromRow(row);
}

/**
 * The first of `$2` identifiers in a row that none of these columns uses, as a SELECT with the ceilings as `$1`; no row if there are none. Only
 * under the lock on the categories.
 */
export const freeCategoryId = (columns: readonly string[]): string => `
  SELECT greatest_id + 1 FROM unnest($1::int8[]) AS given (ceiling)
  CROSS JOIN LATERAL (SELECT ${greatestBelow('ceiling', 'greatest', columns)} AS greatest_id) AS used
  WHERE greatest_id + $2::int8 < ceiling LIMIT 1`;
