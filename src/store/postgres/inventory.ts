import { type Inventory, NO_ANIMALS } from '../../contract/order.ts';
import type { PetStatus } from '../../contract/pet.ts';
import type { Db, TextRow } from './pool/connection.ts';
import { isAlone } from './writer/locks.ts';

// Every statement that changes animals adds its changes of the counts as rows, by triggers, so that no two writers wait for the same count.
// A reader adds up the counts and the changes, in one snapshot, and so is always exact. The changes are summed up from time to time.

const columns = (['available', 'pending', 'sold'] as const satisfies readonly PetStatus[]).map(
  (status) => `coalesce(sum(pets) FILTER (WHERE status = '${status}'), 0)::int8 AS ${status}`,
);

/** The counts of the categories whose ids a SELECT returns: a row for each that ever had an animal. */
export const countsByCategory = (ids: string): string => {
  const counted = ['category_inventory', 'category_changes'].map(
    (table) => `SELECT category_id, status, pets FROM ${table} WHERE category_id = ANY (ARRAY(${ids}))`,
  );
  return `SELECT ${columns.join(', ')}, category_id FROM (${counted.join(' UNION ALL ')}) AS counted GROUP BY category_id`;
};

/** The counts in such a row as JSON, as an SQL expression. */
export const COUNTS_JSON = `concat('{"available":', coalesce(available, 0), ',"pending":', coalesce(pending, 0), ',"sold":', coalesce(sold, 0), '}')`;

/** The counts in the first columns of such a row. For a category that never had an animal, it is missing or they are null. */
export const inventoryIn = (row: TextRow = []): Inventory => {
  const [available = 0n, pending = 0n, sold = 0n] = row.slice(0, 3).map((pets) => BigInt(pets ?? 0));
  return { available, pending, sold };
};

const OF_CATEGORY = countsByCategory('SELECT $1::int8');

export async function countPets(sql: Db, categoryId?: bigint): Promise<Inventory> {
  if (categoryId !== undefined) {
    const [row] = await sql.query(OF_CATEGORY, [categoryId]);
    return inventoryIn(row);
  }
  const rows = await sql.query('SELECT status, sum(pets) FROM inventory GROUP BY status', []);
  return { ...NO_ANIMALS, ...Object.fromEntries(rows.map(([status, pets]) => [status, BigInt(pets ?? 0)])) };
}

/** The size in bytes. */
export async function databaseSize(sql: Db): Promise<number> {
  const [row] = await sql.query('SELECT pg_database_size(current_database())', []);
  return Number(row?.[0]);
}

/** Adds up the changes of the counts when there are many, so that reading the counts stays cheap. */
export async function compactInventory(sql: Db): Promise<void> {
  await sql.query(`
    WITH deleted AS (
      DELETE FROM inventory WHERE ${isAlone('inventory')} AND (SELECT count(*) FROM inventory) > 100 RETURNING status, pets)
    INSERT INTO inventory (status, pets) SELECT status, sum(pets) FROM deleted GROUP BY status`);
}

/** Adds up at most `max` changes; returns how many. */
export async function compactCategories(sql: Db, max: number): Promise<number> {
  const [row] = await sql.query(
    `WITH deleted AS (
       DELETE FROM category_changes WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM category_changes WHERE ${isAlone('category_changes')} ORDER BY category_id LIMIT ${max}))
       RETURNING category_id, status, pets
     ), summed AS (
       INSERT INTO category_inventory (category_id, status, pets)
       SELECT category_id, status, sum(pets) FROM deleted GROUP BY category_id, status ORDER BY category_id, status
       ON CONFLICT (category_id, status) DO UPDATE SET pets = category_inventory.pets + excluded.pets
     )
     SELECT count(*) FROM deleted`,
  );
  return Number(row?.[0]);
}
