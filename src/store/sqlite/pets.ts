import type { DatabaseSync } from 'node:sqlite';
import type { NewPet, Pet } from '../../contract/pet.ts';
import { petList } from '../lists.ts';
import { tables } from '../tables.ts';
import { pageReader, searchReader } from './reads/lists.ts';
import { defineTable, insertInto, itemWhere, updateIn } from './table.ts';

export const petTable = defineTable(tables.pets);

export function petReads(db: DatabaseSync) {
  return {
    listPets: pageReader(db, petTable, petList),
    /** For a query with a name. */
    searchPets: searchReader(db, petTable, petList),
    getPet: itemWhere(db, petTable, 'id = ?') as (id: bigint) => Pet | undefined,
  };
}

export function petRows(db: DatabaseSync) {
  const insert = insertInto(db, petTable, { generated: 'id' });

  return {
    pet: itemWhere(db, petTable, 'id = ?') as (id: bigint) => Pet | undefined,
    addPet: (pet: NewPet): Pet => ({ id: insert(pet), ...pet }),
    changePet: updateIn(db, petTable),
  };
}
