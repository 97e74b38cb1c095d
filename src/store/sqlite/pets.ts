import type { DatabaseSync } from 'node:sqlite';
import { foldText } from '../../contract/folded-text.ts';
import type { NewPet, Pet } from '../../contract/pet.ts';
import type { Page, PetQuery } from '../store.ts';
import { tables } from '../tables.ts';
import { categoryPageReader, pageReader, petRanges } from './reads/pages.ts';
import { contains, searchSteps } from './reads/search.ts';
import { defineTable, insertInto, itemById, updateIn } from './table.ts';

export const petTable = defineTable(tables.pets);

export function petReads(db: DatabaseSync) {
  const page = pageReader(db, petTable);
  const ofCategory = categoryPageReader(db, petTable);

  return {
    listPets: (query: PetQuery): Page => (query.categoryId === undefined ? page(query) : ofCategory(query)),
    /** For a query with a name. */
    searchPets: searchSteps(db, petTable, ({ name, ...query }: Named<PetQuery>, parameter) => ({
      ranges: petRanges(query, parameter),
      matches: contains('folded_name', parameter(foldText(name))),
      text: 'folded_name',
    })),
    getPet: itemById(db, petTable) as (id: bigint) => Pet | undefined,
  };
}

export type Named<Query> = Query & { readonly name: string };

export function petRows(db: DatabaseSync) {
  const insert = insertInto(db, petTable, { generated: 'id' });

  return {
    pet: itemById(db, petTable) as (id: bigint) => Pet | undefined,
    addPet: (pet: NewPet): Pet => ({ id: insert(pet), ...pet }),
    changePet: updateIn(db, petTable),
  };
}
