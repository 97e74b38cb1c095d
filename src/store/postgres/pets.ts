import type { RemovedPet } from '../../contract/pet.ts';
import { removedPetList } from '../lists.ts';
import { removedPetColumns, tables } from '../tables.ts';
import { searchReader } from './reads/lists.ts';
import { defineTable } from './table.ts';

// Pages and single animals are read in reads/pet-reads.ts.
export const petTable = defineTable(tables.pets);

export const removalTable = defineTable(tables.removedPets);
/** Without the number of the removal, which is not shown. */
export const removedPetTable = defineTable<RemovedPet>({
  name: removalTable.name,
  columns: removedPetColumns,
});

export const listRemovedPets = searchReader(removedPetTable, removedPetList);
