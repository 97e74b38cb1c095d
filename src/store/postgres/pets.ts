import type { Row } from 'postgres';
import type { Inventory } from '../../contract/order.ts';
import type { NewPet, Pet, PetStatus } from '../../contract/pet.ts';
import type { Once, PetQuery } from '../store.ts';
import { arrayOf } from './arrays.ts';
import type { Db } from './connection.ts';
import { LIFETIME } from './once.ts';
import { readPage } from './pages.ts';

const SELECT = 'SELECT id, name, category_id, status FROM pets';

export async function listPets(sql: Db, query: PetQuery): Promise<Pet[]> {
  return (await readPage(sql, SELECT, query)).map(petOf);
}

export async function getPet(sql: Db, id: bigint): Promise<Pet | undefined> {
  const [row] = await sql`SELECT id, name, category_id, status FROM pets WHERE id = ${id}`;
  return row && petOf(row);
}

export async function countPets(sql: Db): Promise<Inventory> {
  const rows = await sql<{ status: PetStatus; pets: string }[]>`
    SELECT status, sum(pets)::text AS pets FROM inventory GROUP BY status`;
  const counts = Object.fromEntries(rows.map(({ status, pets }) => [status, BigInt(pets)]));
  return { available: 0n, pending: 0n, sold: 0n, ...counts };
}

/** Adds up the changes of the counts, when there are many, so that reading them stays cheap. */
export async function sumInventory(sql: Db): Promise<void> {
  await sql`
    WITH gone AS (DELETE FROM inventory WHERE (SELECT count(*) FROM inventory) > 100 RETURNING status, pets)
    INSERT INTO inventory (status, pets) SELECT status, sum(pets) FROM gone GROUP BY status`;
}

export interface PetToCreate {
  readonly pet: NewPet;
  readonly once?: Once | undefined;
}

export interface InsertedPet {
  readonly id: bigint;
  /** False when its `Once` was used before: nothing was added, and the id stays unused. */
  readonly fresh: boolean;
}

/**
 * Any number of animals in one statement and one commit. Of those with a `Once`, one a key is added, if no earlier call
 * has used it. Keys are taken in one order by everybody, so that no two batches wait for each other.
 */
export async function insertPets(sql: Db, given: readonly PetToCreate[]): Promise<InsertedPet[]> {
  const column = (value: (one: PetToCreate) => string | bigint | undefined) => arrayOf(given.map(value));
  return sql<InsertedPet[]>`
    WITH given AS MATERIALIZED (
      SELECT *, nextval('pets_id_seq') AS id, row_number() OVER (PARTITION BY owner, key ORDER BY n) AS turn
      FROM unnest(
        ${column(({ pet }) => pet.name)}::text[], ${column(({ pet }) => pet.categoryId)}::int8[],
        ${column(({ pet }) => pet.status)}::text[], ${column(({ once }) => once?.owner)}::text[],
        ${column(({ once }) => once?.key)}::text[], ${column(({ once }) => once?.fingerprint)}::text[]
      ) WITH ORDINALITY AS columns (name, category_id, status, owner, key, fingerprint, n)
    ), claimed AS (
      INSERT INTO idempotency_keys AS kept (owner, key, fingerprint, result)
      SELECT owner, key, fingerprint,
        json_build_object('id', id, 'name', name, 'categoryId', category_id, 'status', status)::text
      FROM given WHERE key IS NOT NULL AND turn = 1 ORDER BY owner, key
      ON CONFLICT (owner, key) DO UPDATE
        SET fingerprint = excluded.fingerprint, result = excluded.result, created_at = now()
        WHERE kept.created_at <= now() - ${LIFETIME}::interval
      RETURNING owner, key
    ), judged AS (
      SELECT given.*, given.key IS NULL OR (turn = 1 AND claimed.key IS NOT NULL) AS fresh
      FROM given LEFT JOIN claimed ON claimed.owner = given.owner AND claimed.key = given.key
    ), added AS (
      INSERT INTO pets (id, name, category_id, status)
      SELECT id, name, category_id, status FROM judged WHERE fresh ORDER BY n
    )
    SELECT id, fresh FROM judged ORDER BY n`;
}

function petOf(row: Row): Pet {
  return { id: row.id, name: row.name, categoryId: row.category_id, status: row.status };
}
