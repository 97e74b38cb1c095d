import type { DatabaseSync } from 'node:sqlite';
import type { Inventory } from '../../contract/order.ts';
import type { NewPet, Pet } from '../../contract/pet.ts';
import type { Page, PetQuery } from '../store.ts';
import { tables } from '../tables.ts';
import { pageReader, searchReader } from './reads/pages.ts';
import { defineTable, insertInto, itemById, updateIn } from './table.ts';

export const petTable = defineTable(tables.pets);

export function petReads(db: DatabaseSync) {
  const page = pageReader(db, petTable);
  const search = searchReader(db, petTable);
  const counts = db.prepare('SELECT status, pets FROM inventory');
  counts.setReadBigInts(true);

  return {
    listPets: (query: PetQuery): Page =>
      query.name === undefined && query.categoryId === undefined ? page(query) : search(query),
    getPet: itemById(db, petTable) as (id: bigint) => Pet | undefined,
    countPets: (): Inventory =>
      Object.fromEntries(counts.all().map(({ status, pets }) => [status, pets])) as unknown as Inventory,
  };
}

export function petRows(db: DatabaseSync) {
  const insert = insertInto(db, petTable, { generated: 'id' });

  return {
    pet: itemById(db, petTable) as (id: bigint) => Pet | undefined,
    addPet: (pet: NewPet): Pet => ({ id: insert(pet), ...pet }),
    changePet: updateIn(db, petTable),
  };
}
