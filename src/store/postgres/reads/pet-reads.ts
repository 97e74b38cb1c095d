import { foldText } from '../../../contract/folded-text.ts';
import { INT64_MAX } from '../../../contract/int64.ts';
import type { Pet } from '../../../contract/pet.ts';
import type { Page, PetQuery } from '../../store.ts';
import { unavailable } from '../errors.ts';
import { findPet, petTable } from '../pets.ts';
import type { Db } from '../pool/connection.ts';
import type { ConnectionGroup } from '../pool/connection-group.ts';
import { arrayOf } from '../table.ts';
import { allRowsOf } from './all-rows.ts';
import { pageReader, rangesOf, SIMPLE_PAGE_MAX, type SimplePage } from './pages.ts';
import { ReadBatcher } from './read-batcher.ts';
import { candidatesIn, contains, searchPage } from './search.ts';

const { readAll } = allRowsOf(petTable);
const { readPage, readPages } = pageReader(petTable);

/** With ids, at most a hundred rows are read by their ids, and a search looks at those. */
const search = (sql: Db, query: PetQuery & { readonly name: string }): Promise<Page> =>
  searchPage(sql, petTable, query, (parameter, from) => {
    const { ids, name, status, categoryId } = query;
    const text = 'folded_name';
    const matches = [contains('folded_name', parameter(foldText(name)))];
    if (!ids)
      return {
        candidates: candidatesIn('pets', rangesOf({ ...query, from }, parameter)),
        matches: matches.join(' AND '),
        text,
      };
    if (status !== undefined) matches.push(`status = ${parameter(status)}`);
    if (categoryId !== undefined) matches.push(`category_id = ${parameter(categoryId)}::int8`);
    const given = `id = ANY (${parameter(arrayOf(ids))}::int8[]) AND id <= ${parameter(from?.id ?? INT64_MAX)}::int8`;
    return {
      candidates: candidatesIn('pets', [{ where: given, order: 'id DESC' }]),
      matches: matches.join(' AND '),
      text,
    };
  });

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

  let isClosed = false;
  /** By what they ask for. Equal searches share a read that is not sent yet. */
  const waiting = new Map<string, Promise<Page>>();
  const readAlone = (query: PetQuery, work: (sql: Db) => Promise<Page>): Promise<Page> => {
    if (isClosed) return Promise.reject(unavailable('The store is closed.'));
    const key = keyOf(query);
    const equal = waiting.get(key);
    if (equal) return equal;
    const page = searches
      .read((sql) => {
        waiting.delete(key);
        return work(sql);
      })
      .finally(() => waiting.get(key) === page && waiting.delete(key));
    waiting.set(key, page);
    return page;
  };

  return {
    getPet: (id: bigint): Promise<Pet | undefined> => single.add(id),
    listPets(query: PetQuery): Promise<Page> {
      const { name, ids, limit } = query;
      if (name !== undefined) return readAlone(query, (sql) => search(sql, { ...query, name }));
      if (ids !== undefined || limit > SIMPLE_PAGE_MAX)
        return readAlone(query, (sql) => readPage(sql, query));
      return pages.add(query);
    },
    /** Resolves when every accepted read is settled; accepts no more. */
    async closeReads(): Promise<void> {
      isClosed = true;
      await Promise.all([single.close(), pages.close()]);
    },
  };
}

const keyOf = ({ limit, status, from, ids, name, categoryId }: PetQuery): string =>
  JSON.stringify([limit, status, `${from?.id}`, `${ids}`, name, `${categoryId}`]);

// For the sub-select, see `pages.ts`.
const ANY_PETS = `${petTable.select} WHERE id = ANY ((SELECT $1::int8[])::int8[])`;

/** The animals with these ids in their order; undefined where there is none. */
async function getPets(sql: Db, ids: readonly bigint[]): Promise<(Pet | undefined)[]> {
  const [only, ...others] = ids;
  if (only !== undefined && others.length === 0) return [await findPet(sql, only)];
  const found = new Map((await readAll(sql, ANY_PETS, [arrayOf(ids)])).map((pet) => [pet.id, pet]));
  return ids.map((id) => found.get(id));
}
