import type { DatabaseSync } from 'node:sqlite';
import { type Category, type CategoryName, categoryNameDigest } from '../../contract/category.ts';
import { INT64_MIN } from '../../contract/int64.ts';
import { keyRange } from '../../contract/name-key.ts';
import { freeCategoryIds, lastAssigned, randomCategoryId } from '../category-ids.ts';
import { pageOfItems } from '../list-page.ts';
import type { CategoryQuery, Page } from '../store.ts';
import { tables } from '../tables.ts';
import { writeStatement } from './connection.ts';
import { COUNTS, inventoryIn, inventoryOf } from './inventory.ts';
import { defineTable, insertInto, itemWhere, type Row, rowStatement, updateIn } from './table.ts';

export const categoryTable = defineTable(tables.categories);
const counterTable = defineTable(tables.categoryCounter);

export function categoryReads(db: DatabaseSync) {
  const page = rowStatement(
    db,
    `SELECT id, name_key, json_insert(${categoryTable.json}, '$.inventory', json_object(
       'available', coalesce(available, 0), 'pending', coalesce(pending, 0), 'sold', coalesce(sold, 0)))
     FROM categories LEFT JOIN category_inventory ON category_id = id
     WHERE (name_key, id) >= (?1, ?2) AND name_key < ?3 ORDER BY name_key, id LIMIT ?4`,
  );

  const one = rowStatement(
    db,
    `SELECT ${categoryTable.list}, ${COUNTS} FROM categories LEFT JOIN category_inventory ON category_id = id
     WHERE id = ?`,
  );

  return {
    getCategory(id: bigint): Category | undefined {
      const row = one.get(id) as unknown as Row | undefined;
      return row && { ...categoryTable.fromRow(row), inventory: inventoryIn(row.slice(-3)) };
    },
    listCategories({ limit, from, name = '' }: CategoryQuery): Page {
      const range = keyRange(name);
      const start = [from?.key ?? range.from, from?.id ?? INT64_MIN] as const;
      const rows = page.all(...start, range.to, limit + 1) as unknown as [bigint, string, string][];
      return pageOfItems(
        rows.map(([id, key, json]) => ({ position: { id, key }, json })),
        limit,
      );
    },
  };
}

export function categoryRows(db: DatabaseSync) {
  const remove = writeStatement(db, 'DELETE FROM categories WHERE id = ?');
  const byDigest = itemWhere(db, categoryTable, 'name_digest = ?');
  const takeIds = takeCategoryIds(db);

  return {
    category: itemWhere(db, categoryTable, 'id = ?'),
    categoryNamed: (name: string): CategoryName | undefined => byDigest(categoryNameDigest(name)),
    inventory: inventoryOf(db),
    unusedCategoryId: (): bigint => takeIds(1)[0] as bigint,
    addCategory: insertInto(db, categoryTable),
    renameCategory: updateIn(db, categoryTable),
    removeCategory(id: bigint): void {
      remove.run(id);
    },
  };
}

/** Takes identifiers that are not in use, nor in one of the columns `alsoUsedIn`, and that no category has had. */
export function takeCategoryIds(
  db: DatabaseSync,
  alsoUsedIn?: readonly string[],
): (count: number) => bigint[] {
  const free = rowStatement(db, freeCategoryIds('?1', '?2', alsoUsedIn));
  const setLast = insertInto(db, counterTable, { orReplace: true });
  return (count) => {
    const ids = (free.all(count, randomCategoryId()) as unknown as [bigint][]).map(([id]) => id);
    const last = lastAssigned(ids);
    if (last !== undefined) setLast({ id: 1n, last });
    return ids;
  };
}
