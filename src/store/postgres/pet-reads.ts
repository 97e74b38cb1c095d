import type { Pet } from '../../contract/pet.ts';
import type { Page, PetQuery } from '../store.ts';
import { allRowsOf } from './all-rows.ts';
import { pageReader, SIMPLE_PAGE_MAX, type SimplePage, searchReader } from './pages.ts';
import { findPet, petTable } from './pets.ts';
import type { Db } from './pool/connection.ts';
import type { ConnectionGroup } from './pool/connection-group.ts';
import { ReadBatcher } from './read-batcher.ts';
import { arrayOf } from './table.ts';

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

// For the sub-select, see `pages.ts`.
const ANY_PETS = `${petTable.select} WHERE id = ANY ((SELECT $1::int8[])::int8[])`;

/** The animals with these ids in their order; undefined where there is none. */
async function getPets(sql: Db, ids: readonly bigint[]): Promise<(Pet | undefined)[]> {
  const [only, ...others] = ids;
  if (only !== undefined && others.length === 0) return [await findPet(sql, only)];
  const found = new Map((await readAll(sql, ANY_PETS, [arrayOf(ids)])).map((pet) => [pet.id, pet]));
  return ids.map((id) => found.get(id));
}
