import { nameKey } from '../../contract/name-key.ts';
import { allRowsOf } from './all-rows.ts';
import { arrayOf } from './arrays.ts';
import type { Db } from './connection.ts';
import { petTable } from './pets.ts';

const BATCH = 2000;
const WITHOUT_KEY = `${petTable.select} WHERE name_key IS NULL ORDER BY id LIMIT ${BATCH}`;
const { readAll } = allRowsOf(petTable);

/**
 * Computes the name keys of at most 2,000 animals that have none, and returns how many. Such animals were added before the
 * column existed, or by an instance of the previous version that is still running. Each batch is one statement, so that
 * an interruption loses nothing, memory is bounded and locks are short.
 */
export async function fillNameKeys(sql: Db): Promise<number> {
  const rows = await readAll(sql, WITHOUT_KEY);
  if (rows.length === 0) return 0;
  await sql`
    UPDATE pets SET name_key = given.name_key
    FROM unnest(${arrayOf(rows.map(({ id }) => id))}::int8[], ${arrayOf(rows.map(({ name }) => nameKey(name)))}::text[])
      AS given (id, name_key)
    WHERE pets.id = given.id AND pets.name_key IS NULL`;
  return rows.length;
}
