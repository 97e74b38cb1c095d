import type { Category } from '../../contract/category.ts';
import { INT64_MIN } from '../../contract/int64.ts';
import { keyRange } from '../../contract/name-key.ts';
import { pageOfItems } from '../list-page.ts';
import type { CategoryQuery, Page } from '../store.ts';
import { tables } from '../tables.ts';
import { COUNTS_JSON, countsByCategory, inventoryIn } from './inventory.ts';
import type { Db } from './pool/connection.ts';
import { mostOf } from './reads/lists.ts';
import { defineTable } from './table.ts';

export const categoryTable = defineTable(tables.categories);

const NAMED = `
  SELECT ${categoryTable.list}, name_key FROM categories
  WHERE (name_key, id) >= ($1, $2::int8) AND name_key < $3`;

export async function listCategories(sql: Db, { limit, from, name = '' }: CategoryQuery): Promise<Page> {
  const range = keyRange(name);
  const start = [from?.key ?? range.from, from?.id ?? INT64_MIN];
  const statement = `
    WITH named AS MATERIALIZED (
      SELECT * FROM (${NAMED} ORDER BY name_key, id LIMIT ${mostOf(limit)}) AS page ORDER BY name_key, id LIMIT $4::int8 + 1)
    SELECT id, name_key, concat(rtrim(${categoryTable.json}, '}'), ',"inventory":', ${COUNTS_JSON}, '}') AS json
    FROM named LEFT JOIN (${countsByCategory('SELECT id FROM named')}) AS counts ON category_id = id ORDER BY name_key, id`;
  const rows = (await sql.query(statement, [...start, range.to, limit])) as [string, string, string][];
  return pageOfItems(
    rows.map(([id, key, json]) => ({ position: { id: BigInt(id), key }, json })),
    limit,
  );
}

const ONE = `
  SELECT ${categoryTable.list}, available, pending, sold FROM categories LEFT JOIN (${countsByCategory('SELECT $1::int8')}) AS counts ON category_id = id
  WHERE id = $1::int8`;

export async function getCategory(sql: Db, id: bigint): Promise<Category | undefined> {
  const [row] = await sql.query(ONE, [id]);
  return row && { ...categoryTable.fromRow(row), inventory: inventoryIn(row.slice(-3)) };
}

export const SET_LAST_CATEGORY_ID =
  'INSERT INTO category_counter (id, last) VALUES (1, $1::int8) ON CONFLICT (id) DO UPDATE SET last = excluded.last';
