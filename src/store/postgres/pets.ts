import type { Pet } from '../../contract/pet.ts';
import { tables } from '../tables.ts';
import type { Db } from './pool/connection.ts';
import { defineTable } from './table.ts';

export const petTable = defineTable(tables.pets);

const FIND = `${petTable.select} WHERE id = $1`;

export async function findPet(sql: Db, id: bigint): Promise<Pet | undefined> {
  const [row] = await sql.unsafe(FIND, [id], { prepare: true });
  return row && petTable.fromRow(row);
}
