import type { DatabaseSync } from 'node:sqlite';
import type { Inventory } from '../../contract/order.ts';
import { type Row, rowStatement } from './table.ts';

// Counts are kept by triggers, in the transaction of the change that they count.

/** The counts of a category, which has no row while it has no animals. */
export const COUNTS = 'available, pending, sold';

/** The counts in a row of these columns. For a category without animals, it is missing or its columns are null. */
export function inventoryIn(row: Row | undefined): Inventory {
  const [available, pending, sold] = (row ?? []) as (bigint | null)[];
  return { available: available ?? 0n, pending: pending ?? 0n, sold: sold ?? 0n };
}

export function inventoryOf(db: DatabaseSync): (categoryId: bigint) => Inventory {
  const counts = rowStatement(db, `SELECT ${COUNTS} FROM category_inventory WHERE category_id = ?`);
  return (categoryId) => inventoryIn(counts.get(categoryId) as unknown as Row | undefined);
}

export function inventoryReads(db: DatabaseSync) {
  const counts = rowStatement(db, 'SELECT status, pets FROM inventory');
  const ofCategory = inventoryOf(db);

  return {
    countPets(categoryId?: bigint): Inventory {
      if (categoryId !== undefined) return ofCategory(categoryId);
      return Object.fromEntries(counts.all() as unknown as [string, bigint][]) as unknown as Inventory;
    },
  };
}
