import {
  Category,
  categoryExists,
  categoryInUse,
  categoryJson,
  categoryNameDigest,
  categoryNotFound,
  type NewCategory,
} from '../../contract/category.ts';
import { type Author, categoryContent } from '../../contract/event.ts';
import { INT64_MIN } from '../../contract/int64.ts';
import { keyRange, nameKey } from '../../contract/name-key.ts';
import { newCategoryIds } from '../new-category-ids.ts';
import { pageOfCandidates } from '../page.ts';
import type { CategoryQuery, Created, IdempotencyKey, Page } from '../store.ts';
import { tables } from '../tables.ts';
import { violated } from './errors.ts';
import { authorOf, insertEvents } from './events.ts';
import { insertOnce } from './idempotency.ts';
import { firstRows } from './pages.ts';
import type { Db } from './pool/connection.ts';
import { arrayOf, columnArrays, defineTable } from './table.ts';

const ID = 'categories_pkey';

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

/** Tries again if another call has taken the identifier meanwhile. */
export async function createCategory(
  sql: Db,
  { name }: NewCategory,
  idempotencyKey?: IdempotencyKey,
  by?: Author,
): Promise<Created<Category>> {
  for (;;) {
    const category = { id: await unusedCategoryId(sql), name };
    const result = { schema: Category, json: categoryJson(category) };
    const events = [{ type: 'category.created' as const, content: categoryContent(category), by }];
    const rows = columnArrays(categoryTable, [category]);
    try {
      return await insertOnce(sql, rows, 'categories', category, result, events, idempotencyKey);
    } catch (error) {
      if (violated(error) !== ID) throw violated(error) ? categoryExists() : error;
    }
  }
}

/** An identifier that no category and no animal uses, nor a row of the table `alsoIn`. */
export async function unusedCategoryId(sql: Db, alsoIn?: string): Promise<bigint> {
  const [row] = await sql`SELECT count(*) AS count FROM categories`;
  const tables = ['pets', 'removed_pets', ...(alsoIn === undefined ? [] : [alsoIn])];
  const unused = tables.map((table) => `AND NOT EXISTS (SELECT FROM ${table} WHERE category_id = given.id)`);
  const statement = `
    SELECT id FROM unnest($1::int8[]) WITH ORDINALITY AS given (id, place)
    WHERE NOT EXISTS (SELECT FROM categories WHERE categories.id = given.id) ${unused.join(' ')}
    ORDER BY place LIMIT 1`;
  const [found] = await sql.unsafe(statement, [arrayOf(newCategoryIds(Number(row?.count)))], {
    prepare: true,
  });
  return found?.id;
}

const author = { keyId: '$1::text', keyName: '$2::text' };
const CONTENT = `concat('{"category":', ${categoryTable.json}, '}')`;
const RENAMED_CONTENT = `concat('{"category":', ${categoryTable.json}, ',"before":{"name":', to_json(old_name), '}}')`;

const SET = `
  WITH category AS MATERIALIZED (
    SELECT $3::int8 AS id, $4::text AS name, old_name FROM set_category($3::int8, $4::text, $5::text, $6::text)
  ), recorded AS (
    ${insertEvents(
      {
        type: "CASE WHEN old_name IS NULL THEN 'category.created' ELSE 'category.renamed' END",
        ...author,
        content: `CASE WHEN old_name IS NULL THEN ${CONTENT} ELSE ${RENAMED_CONTENT} END`,
      },
      'category WHERE old_name IS DISTINCT FROM name',
    )}
  )
  SELECT old_name IS NULL AS created FROM category`;

export async function setCategory(
  sql: Db,
  category: Category,
  by?: Author,
): Promise<{ category: Category; created: boolean }> {
  const { id, name } = category;
  const values = [...authorOf(by), id, name, nameKey(name), categoryNameDigest(name)];
  try {
    const [row] = await sql.unsafe(SET, values, { prepare: true });
    return { category, created: row?.created };
  } catch (error) {
    throw violated(error) ? categoryExists() : error;
  }
}

const REMOVE = `
  WITH removed AS (
    DELETE FROM categories WHERE id = $3::int8 AND NOT EXISTS (SELECT FROM pets WHERE category_id = $3::int8) RETURNING *
  ), recorded AS (
    ${insertEvents({ type: "'category.removed'", ...author, content: CONTENT }, 'removed')}
  )
  SELECT id FROM removed`;

export async function removeCategory(sql: Db, id: bigint, by?: Author): Promise<void> {
  const [removed] = await sql.unsafe(REMOVE, [...authorOf(by), id], { prepare: true });
  if (removed) return;
  throw (await getCategory(sql, id)) ? categoryInUse() : categoryNotFound();
}
