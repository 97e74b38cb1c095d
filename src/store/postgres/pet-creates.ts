import { type Author, petContent } from '../../contract/event.ts';
import { type NewPet, type Pet, Pets, petsJson } from '../../contract/pet.ts';
import type { Created, IdempotencyKey } from '../store.ts';
import { insertEvents } from './events.ts';
import { insertOnce, LIFETIME } from './idempotency.ts';
import { PET_CONTENT, petTable } from './pets.ts';
import type { Db } from './pool/connection.ts';
import { arrayOf, columnArrays, type Element } from './table.ts';

export interface PetToCreate {
  readonly pet: NewPet;
  readonly idempotencyKey?: IdempotencyKey | undefined;
  readonly by?: Author | undefined;
}

export interface CreatedPet {
  readonly id: bigint;
  /** False if the idempotency key was used before: then nothing was added, and the id stays unused. */
  readonly added: boolean;
}

/**
 * Adds any number of animals in one statement and one commit. Of those that share an idempotency key only the first is
 * added, and only if no earlier call has used the key. Keys are locked in sorted order, so that two batches never
 * deadlock.
 */
export async function createEach(sql: Db, batch: readonly PetToCreate[]): Promise<CreatedPet[]> {
  const pets = columnArrays(
    petTable,
    batch.map(({ pet }) => pet),
    'id',
  );
  const values = [...pets.values];
  const parameter = (value: (one: PetToCreate) => Element) => `$${values.push(arrayOf(batch.map(value)))}`;
  const owners = parameter(({ idempotencyKey }) => idempotencyKey?.owner);
  const keys = parameter(({ idempotencyKey }) => idempotencyKey?.key);
  const fingerprints = parameter(({ idempotencyKey }) => idempotencyKey?.fingerprint);
  const authorIds = parameter(({ by }) => by?.keyId);
  const authorNames = parameter(({ by }) => by?.keyName);
  const event = {
    type: "'pet.created'",
    petId: 'id',
    keyId: 'by_id',
    keyName: 'by_name',
    content: PET_CONTENT,
  };
  const statement = `
    WITH batch AS MATERIALIZED (
      SELECT *, nextval('pets_id_seq') AS id,
        row_number() OVER (PARTITION BY key_owner, key_text ORDER BY place) AS key_use
      FROM unnest(${pets.placeholders}, ${owners}::text[], ${keys}::text[], ${fingerprints}::text[],
          ${authorIds}::text[], ${authorNames}::text[])
        WITH ORDINALITY AS given (${pets.list}, key_owner, key_text, key_fingerprint, by_id, by_name, place)
    ), claimed AS (
      INSERT INTO idempotency_keys AS stored (owner, key, fingerprint, result)
      SELECT key_owner, key_text, key_fingerprint, ${petTable.json}
      FROM batch WHERE key_text IS NOT NULL AND key_use = 1 ORDER BY key_owner, key_text
      ON CONFLICT (owner, key) DO UPDATE
        SET fingerprint = excluded.fingerprint, result = excluded.result, created_at = now()
        WHERE stored.created_at <= now() - '${LIFETIME}'::interval
      RETURNING owner, key
    ), decided AS (
      SELECT batch.*, key_text IS NULL OR (key_use = 1 AND claimed.key IS NOT NULL) AS added
      FROM batch LEFT JOIN claimed ON claimed.owner = key_owner AND claimed.key = key_text
    ), inserted AS (
      INSERT INTO pets (id, ${pets.list}) SELECT id, ${pets.list} FROM decided WHERE added ORDER BY place
    ), recorded AS (
      ${insertEvents(event, 'decided WHERE added ORDER BY place')}
    )
    SELECT id, added FROM decided ORDER BY place`;
  return sql.unsafe<CreatedPet[]>(statement, values, { prepare: true });
}

/** Adds all of them and the idempotency key in one statement, or nothing if the key was used before. */
export async function createPets(
  sql: Db,
  pets: readonly NewPet[],
  idempotencyKey?: IdempotencyKey,
  by?: Author,
): Promise<Created<Pet[]>> {
  // Ids that stay unused are no harm.
  const ids =
    await sql`SELECT nextval('pets_id_seq') AS id FROM generate_series(1, ${pets.length}) ORDER BY 1`;
  const created = pets.map((pet, i) => ({ id: ids[i]?.id as bigint, ...pet }));
  const result = { schema: Pets, json: petsJson(created) };
  const events = created.map((pet) => ({
    type: 'pet.created' as const,
    petId: pet.id,
    content: petContent(pet),
    by,
  }));
  const rows = columnArrays(petTable, created);
  return insertOnce(sql, rows, petTable.name, created, result, events, idempotencyKey);
}
