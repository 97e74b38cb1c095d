import type { Inventory } from '../../contract/order.ts';
import type { Pet, PetStatus } from '../../contract/pet.ts';
import { tables } from '../tables.ts';
import type { Db } from './pool/connection.ts';
import { defineTable } from './table.ts';

export const petTable = defineTable(tables.pets);

const FIND = `${petTable.select} WHERE id = $1`;

export async function findPet(sql: Db, id: bigint): Promise<Pet | undefined> {
  const [row] = await sql.unsafe(FIND, [id], { prepare: true });
  return row && petTable.fromRow(row);
}

export async function countPets(sql: Db): Promise<Inventory> {
  const rows = await sql<{ status: PetStatus; pets: string }[]>`
    SELECT status, sum(pets)::text AS pets FROM inventory GROUP BY status`;
  const counts = Object.fromEntries(rows.map(({ status, pets }) => [status, BigInt(pets)]));
  return { available: 0n, pending: 0n, sold: 0n, ...counts };
}

/** Adds up the changes of the counts when there are many, so that reading the counts stays cheap. */
export async function compactInventory(sql: Db): Promise<void> {
  await sql`
    WITH deleted AS (DELETE FROM inventory WHERE (SELECT count(*) FROM inventory) > 100 RETURNING status, pets)
    INSERT INTO inventory (status, pets) SELECT status, sum(pets) FROM deleted GROUP BY status`;
}
