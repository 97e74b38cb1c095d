import type { Row } from 'postgres';
import type { Author } from '../../contract/event.ts';
import { nameKey } from '../../contract/name-key.ts';
import type { Inventory } from '../../contract/order.ts';
import { type Pet, type PetStatus, type PetUpdate, petJson, petNotFound } from '../../contract/pet.ts';
import { assertMayChange, entityTag, type Precondition } from '../../contract/precondition.ts';
import { tables } from '../tables.ts';
import { authorOf, insertEvents } from './events.ts';
import type { Db } from './pool/connection.ts';
import { refusing } from './refusals.ts';
import { changedMembers, defineTable } from './table.ts';

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

export async function updatePet(
  sql: Db,
  id: bigint,
  changes: PetUpdate,
  precondition?: Precondition,
  by?: Author,
): Promise<Pet> {
  const { name = null, categoryId = null, status = null } = changes;
  const expected = await expectedValues(sql, id, precondition);
  const values = [id, name, name === null ? null : nameKey(name), categoryId, status];
  const expectations = [expected.name, expected.categoryId, expected.status];
  const all = [...values, ...expectations, ...authorOf(by)];
  const [row] = await refusing(sql.unsafe(UPDATE, all, { prepare: true }));
  return petTable.fromRow(row as Row);
}

/** The content of an event of an animal, whose columns are at hand. */
export const PET_CONTENT = `concat('{"pet":', ${petTable.json}, '}')`;

/** That of an update, with the columns from before it, which have this prefix. */
export const updatedPetContent = (old: string): string =>
  `concat('{"pet":', ${petTable.json}, ',"before":{', ${changedMembers(petTable, old)}, '}}')`;

const UPDATE = `
  WITH changed AS MATERIALIZED (
    SELECT old_pet, (new_pet).*
    FROM update_pet($1::int8, $2::text, $3::text, $4::int8, $5::text, $6::text, $7::int8, $8::text)
  ), recorded AS (
    ${insertEvents(
      {
        type: "'pet.updated'",
        petId: 'id',
        keyId: '$9::text',
        keyName: '$10::text',
        content: updatedPetContent('(old_pet).'),
      },
      `changed WHERE ${changedMembers(petTable, '(old_pet).')} <> ''`,
    )}
  )
  SELECT ${petTable.list} FROM changed`;

/** The values that the animal must still have when it is changed; NULL for an animal that may have any. */
interface ExpectedValues {
  readonly name: string | null;
  readonly categoryId: bigint | null;
  readonly status: PetStatus | null;
}

/**
 * A precondition is decided here, by the animal as it is read, and holds in the transaction of the change if the animal still
 * has these values: the functions of the schema compare them.
 */
export async function expectedValues(
  sql: Db,
  id: bigint,
  precondition: Precondition | undefined,
): Promise<ExpectedValues> {
  if (!precondition) return { name: null, categoryId: null, status: null };
  const pet = await findPet(sql, id);
  if (!pet) throw petNotFound();
  assertMayChange(precondition, entityTag(petJson(pet)));
  return pet;
}
