import type { Row } from 'postgres';
import type { Author } from '../../contract/event.ts';
import { petContent } from '../../contract/event.ts';
import { nameKey } from '../../contract/name-key.ts';
import type { Inventory } from '../../contract/order.ts';
import {
  type NewPet,
  type Pet,
  type PetStatus,
  Pets,
  type PetUpdate,
  petJson,
  petNotFound,
  petsJson,
} from '../../contract/pet.ts';
import { assertMayChange, entityTag, type Precondition } from '../../contract/precondition.ts';
import type { Created, IdempotencyKey, Page, PetQuery } from '../store.ts';
import { allRowsOf } from './all-rows.ts';
import { arrayOf, type Element } from './arrays.ts';
import type { ConnectionGroup, Db } from './connection.ts';
import { authorOf, insertEvents } from './events.ts';
import { insertOnce, LIFETIME } from './idempotency.ts';
import { pageReader, SIMPLE_PAGE_MAX, type SimplePage, searchReader } from './pages.ts';
import { ReadBatcher } from './read-batcher.ts';
import { refusing } from './refusals.ts';
import { changedMembers, columnArrays, defineTable, integer, text, word } from './table.ts';

export const petTable = defineTable<Pet>(
  'pets',
  {
    id: integer('id'),
    name: text('name'),
    categoryId: integer('category_id'),
    status: word('status'),
  },
  [{ name: 'name_key', type: 'text', value: ({ name }) => nameKey(name) }],
);

const { readAll } = allRowsOf(petTable);
const { readPage, readPages } = pageReader(petTable);
const search = searchReader(petTable);

/** Reads animals, in batches. Each kind of read has its own, so that none waits for another. */
export function petReads(database: Pick<ConnectionGroup, 'read'>) {
  const single = new ReadBatcher<bigint, Pet | undefined>({
    read: (ids) => database.read((sql) => getPets(sql, ids)),
    keyOf: (id) => id,
    itemsOf: () => 1,
    sizeOf: (pet) => pet?.name.length ?? 0,
  });
  const ofPages = {
    itemsOf: ({ limit }: SimplePage) => limit,
    sizeOf: ({ json }: Page) => json.length,
  };
  const pages = new ReadBatcher<SimplePage, Page>({
    ...ofPages,
    read: (queries) => database.read((sql) => readPages(sql, queries)),
    keyOf: ({ limit, status, from }) => `${limit} ${status} ${from?.id}`,
  });
  /** Each is a statement of its own, which fails alone; the batch only bounds what they return at a time. */
  const searches = new ReadBatcher<PetQuery, PromiseSettledResult<Page>>({
    itemsOf: ofPages.itemsOf,
    sizeOf: (result) => (result.status === 'fulfilled' ? ofPages.sizeOf(result.value) : 0),
    read: (queries) =>
      Promise.allSettled(queries.map((query) => database.read((sql) => listPets(sql, query)))),
    keyOf: ({ limit, status, from, ids, name, categoryId }) =>
      JSON.stringify([limit, status, `${from?.id}`, from?.nameKey, `${ids}`, name, `${categoryId}`]),
  });

  return {
    getPet: (id: bigint): Promise<Pet | undefined> => single.add(id),
    listPets(query: PetQuery): Promise<Page> {
      const { name, categoryId, ids, limit } = query;
      const isSimple = (name ?? categoryId ?? ids) === undefined && limit <= SIMPLE_PAGE_MAX;
      return isSimple ? pages.add(query) : searches.add(query).then(unwrap);
    },
    /** Resolves when every accepted read is settled; accepts no more. */
    async closeReads(): Promise<void> {
      await Promise.all([single.close(), pages.close(), searches.close()]);
    },
  };
}

function unwrap<T>(result: PromiseSettledResult<T>): T {
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}

function listPets(sql: Db, query: PetQuery): Promise<Page> {
  const { name, categoryId } = query;
  return (name ?? categoryId) === undefined ? readPage(sql, query) : search(sql, query);
}

const ONE_PET = `${petTable.select} WHERE id = $1`;
// For the sub-select, see `pages.ts`.
const ANY_PETS = `${petTable.select} WHERE id = ANY ((SELECT $1::int8[])::int8[])`;

/** The animals with these ids in their order; undefined where there is none. */
async function getPets(sql: Db, ids: readonly bigint[]): Promise<(Pet | undefined)[]> {
  if (ids.length === 1) {
    const [row] = await sql.unsafe(ONE_PET, [...ids], { prepare: true });
    return [row && petTable.fromRow(row)];
  }
  const found = new Map((await readAll(sql, ANY_PETS, [arrayOf(ids)])).map((pet) => [pet.id, pet]));
  return ids.map((id) => found.get(id));
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
export interface ExpectedValues {
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
  const [pet] = await getPets(sql, [id]);
  if (!pet) throw petNotFound();
  assertMayChange(precondition, entityTag(petJson(pet)));
  return pet;
}
