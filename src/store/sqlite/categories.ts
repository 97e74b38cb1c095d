import type { DatabaseSync } from 'node:sqlite';
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
import { writeStatement } from './connection.ts';
import type { RecordEvent } from './events.ts';
import type { Idempotency } from './idempotency.ts';
import { defineTable, insertInto, itemById, rowStatement } from './table.ts';

export const categoryTable = defineTable(tables.categories);
const result = { schema: Category, toJson: categoryJson };

export function categoryReads(db: DatabaseSync) {
  const page = rowStatement(
    db,
    `SELECT id, name_key, ${categoryTable.json} FROM categories
     WHERE (name_key, id) >= (?1, ?2) AND name_key < ?3 ORDER BY name_key, id LIMIT ?4`,
  );

  return {
    getCategory: itemById(db, categoryTable) as (id: bigint) => Category | undefined,
    listCategories({ limit, from, name = '' }: CategoryQuery): Page {
      const range = keyRange(name);
      const start = [from?.nameKey ?? range.from, from?.id ?? INT64_MIN] as const;
      const rows = page.all(...start, range.to, limit + 1) as unknown as [bigint, string, string][];
      const candidates = rows.map(([id, key, json]) => ({ position: { id, nameKey: key }, json }));
      return pageOfCandidates(candidates, limit);
    },
  };
}

export function categoryActions(db: DatabaseSync, idempotency: Idempotency, record: RecordEvent) {
  const find = itemById(db, categoryTable);
  const insert = insertInto(db, categoryTable);
  const rename = writeStatement(
    db,
    'UPDATE categories SET name = ?, name_key = ?, name_digest = ? WHERE id = ?',
  );
  const remove = writeStatement(db, 'DELETE FROM categories WHERE id = ?');
  const byName = db.prepare('SELECT 1 FROM categories WHERE name_digest = ? AND id <> ?');
  const isInUse = db.prepare('SELECT 1 FROM pets WHERE category_id = ?');
  const unusedId = unusedCategoryId(db);

  function assertFree({ id, name }: Category): void {
    if (byName.get(categoryNameDigest(name), id)) throw categoryExists();
  }

  function create(category: Category, by: Author | undefined): void {
    insert(category);
    record('category.created', by, categoryContent(category));
  }

  return {
    createCategory({ name }: NewCategory, idempotencyKey?: IdempotencyKey, by?: Author): Created<Category> {
      return idempotency.run(idempotencyKey, result, () => {
        const category = { id: unusedId(), name };
        assertFree(category);
        create(category, by);
        return category;
      });
    },
    setCategory(category: Category, by?: Author): { category: Category; created: boolean } {
      const { id, name } = category;
      assertFree(category);
      const old = find(id);
      if (!old) create(category, by);
      else if (old.name !== name) {
        rename.run(name, nameKey(name), categoryNameDigest(name), id);
        record('category.renamed', by, categoryContent(category, old));
      }
      return { category, created: !old };
    },
    removeCategory(id: bigint, by?: Author): void {
      const category = find(id);
      if (!category) throw categoryNotFound();
      if (isInUse.get(id)) throw categoryInUse();
      remove.run(id);
      record('category.removed', by, categoryContent(category));
    },
  };
}

/** Finds an identifier that no category and no animal uses, nor a row of the table `alsoIn`. */
export function unusedCategoryId(db: DatabaseSync, alsoIn?: string): () => bigint {
  const count = db.prepare('SELECT count(*) AS count FROM categories');
  const tables = ['pets', 'removed_pets', ...(alsoIn === undefined ? [] : [alsoIn])];
  const uses = [
    db.prepare('SELECT 1 FROM categories WHERE id = ?'),
    ...tables.map((table) => db.prepare(`SELECT 1 FROM ${table} WHERE category_id = ?`)),
  ];
  const isUsed = (id: bigint): boolean => uses.some((use) => use.get(id) !== undefined);
  return () => newCategoryIds(Number(count.get()?.count)).find((id) => !isUsed(id)) as bigint;
}
