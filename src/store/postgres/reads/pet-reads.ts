import type { Pet } from '../../../contract/pet.ts';
import { isSearchIn, petList } from '../../lists.ts';
import type { Page, PetQuery } from '../../store.ts';
import { petTable } from '../pets.ts';
import type { Db } from '../pool/connection.ts';
import type { ConnectionGroup } from '../pool/connection-group.ts';
import { arrayOf } from '../table.ts';
import { pageReader, pagesReader, SIMPLE_PAGE_MAX, type SimplePage, searchReader } from './lists.ts';
import { ReadBatcher } from './read-batcher.ts';

const readPage = pageReader(petTable, petList);
const readSeveral = pagesReader(petTable);
const search = searchReader(petTable, petList);

/** Pages of the same state of the table. One alone costs less with its own statement. */
export async function readPages(sql: Db, pages: readonly SimplePage[]): Promise<Page[]> {
  const [only, ...others] = pages;
  return only && others.length === 0 ? [await readPage(sql, only)] : readSeveral(sql, pages);
}

/** Reads animals. Single ones and simple pages share statements, each kind its own, so that neither waits for the other. */
export function petReads(reads: Pick<ConnectionGroup, 'read'>, searches = reads) {
  const single = new ReadBatcher<bigint, Pet | undefined>({
    read: (ids) => reads.read((sql) => getPets(sql, ids)),
    keyOf: (id) => id,
    itemsOf: () => 1,
    sizeOf: (pet) => pet?.name.length ?? 0,
  });
  const pages = new ReadBatcher<SimplePage, Page>({
    read: (queries) => reads.read((sql) => readPages(sql, queries)),
    keyOf: ({ limit, categoryId, status, from }) => `${limit} ${categoryId} ${status} ${from?.id}`,
    itemsOf: ({ limit }) => limit,
    sizeOf: ({ json }) => json.length,
  });

  return {
    getPet: (id: bigint): Promise<Pet | undefined> => single.add(id),
    listPets(query: PetQuery): Promise<Page> {
      const isSearch = isSearchIn(petList, query);
      if (!isSearch && query.ids === undefined && query.limit <= SIMPLE_PAGE_MAX) return pages.add(query);
      return searches.read((sql) => (isSearch ? search : readPage)(sql, query));
    },
    /** Resolves when every accepted read is settled; accepts no more. */
    closeReads: () => Promise.all([single.close(), pages.close()]),
  };
}

const ONE_PET = `${petTable.select} WHERE id = $1`;
// For the sub-select, see `lists.ts`.
const ANY_PETS = `${petTable.select} WHERE id = ANY ((SELECT $1::int8[])::int8[])`;

/** The animals with these ids in their order; undefined where there is none. */
async function getPets(sql: Db, ids: readonly bigint[]): Promise<(Pet | undefined)[]> {
  const [only, ...others] = ids;
  if (only !== undefined && others.length === 0) {
    const [row] = await sql.query(ONE_PET, [only]);
    return [row && petTable.fromRow(row)];
  }
  const pets = (await sql.query(ANY_PETS, [arrayOf(ids)])).map(petTable.fromRow);
  const found = new Map(pets.map((pet) => [pet.id, pet]));
  return ids.map((id) => found.get(id));
}
