import { nameKey } from '../../contract/name-key.ts';
import type { Inventory } from '../../contract/order.ts';
import { type NewPet, newPetJson, type Pet, type PetStatus } from '../../contract/pet.ts';
import type { IdempotencyKey, Page, PetQuery } from '../store.ts';
import { arrayOf, type Element } from './arrays.ts';
import type { Db } from './connection.ts';
import { LIFETIME } from './idempotency.ts';
import { packedRow, packingOf } from './packed.ts';
import { namePageReader, pageReader, SIMPLE_PAGE_MAX, type SimplePage } from './pages.ts';
import { ReadBatch } from './read-batch.ts';
import { columnArrays, defineTable, integer, text, word } from './table.ts';

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

const { pack, unpack } = packingOf(petTable);
const { readPage, readPages } = pageReader(petTable);
const readNamePage = namePageReader(petTable);

interface Database {
  read<T>(call: (sql: Db) => Promise<T>): Promise<T>;
}

/** Reads animals, in batches. Each kind of read has its own, so that none waits for another. */
export function petReads(database: Database) {
  const single = new ReadBatch<bigint, Pet | undefined>({
    read: (ids) => database.read((sql) => getPets(sql, ids)),
    keyOf: (id) => id,
    itemsOf: () => 1,
    sizeOf: (pet) => pet?.name.length ?? 0,
  });
  const ofPages = {
    itemsOf: ({ limit }: SimplePage) => limit,
    sizeOf: ({ json }: Page) => json.length,
  };
  const pages = new ReadBatch<SimplePage, Page>({
    ...ofPages,
    read: (queries) => database.read((sql) => readPages(sql, queries)),
    keyOf: ({ limit, status, before }) => `${limit} ${status} ${before}`,
  });
  /** Each is a statement of its own, which fails alone; the batch only bounds what they return at a time. */
  const searches = new ReadBatch<PetQuery, PromiseSettledResult<Page>>({
    itemsOf: ofPages.itemsOf,
    sizeOf: (result) => (result.status === 'fulfilled' ? ofPages.sizeOf(result.value) : 0),
    read: (queries) =>
      Promise.allSettled(queries.map((query) => database.read((sql) => listPets(sql, query)))),
    keyOf: ({ limit, status, before, ids, name }) =>
      JSON.stringify([limit, status, `${before}`, `${ids}`, name]),
  });

  return {
    getPet: (id: bigint): Promise<Pet | undefined> => single.add(id),
    listPets(query: PetQuery): Promise<Page> {
      const isSimple = query.name === undefined && query.ids === undefined && query.limit <= SIMPLE_PAGE_MAX;
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
  const { name } = query;
  return name === undefined ? readPage(sql, query) : readNamePage(sql, { ...query, name });
}

const ONE_PET = `${petTable.select} WHERE id = $1`;
// For the sub-select, see `pages.ts`.
const ANY_PETS = pack(`${petTable.select} WHERE id = ANY ((SELECT $1::int8[])::int8[])`);

/** The animals with these ids in their order; undefined where there is none. */
async function getPets(sql: Db, ids: readonly bigint[]): Promise<(Pet | undefined)[]> {
  if (ids.length === 1) {
    const [row] = await sql.unsafe(ONE_PET, [...ids], { prepare: true });
    return [row && petTable.fromRow(row)];
  }
  const found = new Map(unpack(await packedRow(sql, ANY_PETS, [arrayOf(ids)])).map((pet) => [pet.id, pet]));
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
export async function createPets(sql: Db, batch: readonly PetToCreate[]): Promise<CreatedPet[]> {
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
  const results = parameter(({ pet, idempotencyKey }) => idempotencyKey && newPetJson(pet));
  const statement = `
    WITH batch AS MATERIALIZED (
      SELECT *, nextval('pets_id_seq') AS id,
        row_number() OVER (PARTITION BY key_owner, key_text ORDER BY place) AS key_use
      FROM unnest(${pets.placeholders}, ${owners}::text[], ${keys}::text[], ${fingerprints}::text[], ${results}::text[])
        WITH ORDINALITY AS given (${pets.list}, key_owner, key_text, key_fingerprint, key_result, place)
    ), claimed AS (
      INSERT INTO idempotency_keys AS stored (owner, key, fingerprint, result)
      SELECT key_owner, key_text, key_fingerprint, '{"id":' || id || ',' || substr(key_result, 2)
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
    )
    SELECT id, added FROM decided ORDER BY place`;
  return sql.unsafe<CreatedPet[]>(statement, values, { prepare: true });
}
