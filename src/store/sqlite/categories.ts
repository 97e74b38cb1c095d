import type { DatabaseSync } from 'node:sqlite';
import { type Category, categoryNameDigest } from '../../contract/category.ts';
import { INT64_MIN } from '../../contract/int64.ts';
import { keyRange } from '../../contract/name-key.ts';
import { CATEGORY_ID_COLUMNS, CEILINGS, greatestBelow, noCategoryId } from '../category-ids.ts';
import { pageOfCandidates } from '../list-page.ts';
import type { CategoryQuery, Page } from '../store.ts';
import { tables } from '../tables.ts';
import { writeStatement } from './connection.ts';
import { defineTable, insertInto, itemById, itemStatement, rowStatement, updateIn } from './table.ts';

export const categoryTable = defineTable(tables.categories);

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

export function categoryRows(db: DatabaseSync) {
  const insert = insertInto(db, categoryTable);
  const remove = writeStatement(db, 'DELETE FROM categories WHERE id = ?');
  const byDigest = itemStatement(db, categoryTable, `${categoryTable.select} WHERE name_digest = ?`);
  const inUse = db.prepare('SELECT 1 FROM pets WHERE category_id = ?');

  return {
    category: itemById(db, categoryTable) as (id: bigint) => Category | undefined,
    categoryNamed: (name: string): Category | undefined => byDigest(categoryNameDigest(name)),
    isCategoryUsed: (id: bigint): boolean => inUse.get(id) !== undefined,
    unusedCategoryId: unusedCategoryId(db),
    addCategory(category: Category): void {
      insert(category);
    },
    renameCategory: updateIn(db, categoryTable),
    removeCategory(id: bigint): void {
      remove.run(id);
    },
  };
}

/** Finds an identifier that no category and no animal uses, nor one of the columns `alsoIn`. */
export function unusedCategoryId(db: DatabaseSync, alsoIn: readonly string[] = []): () => bigint {
  const greatest = rowStatement(
    db,
    `SELECT ${greatestBelow('?1', 'max', [...CATEGORY_ID_COLUMNS, ...alsoIn])}`,
  );
  return () => {
    for (const ceiling of CEILINGS) {
      const [id] = greatest.get(ceiling) as unknown as [bigint];
      if (id + 1n < ceiling) return id + 1n;
    }
    throw noCategoryId();
  };
}
