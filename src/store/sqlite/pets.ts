import type { DatabaseSync } from 'node:sqlite';
import type { NewPet, Pet, RemovedPet } from '../../contract/pet.ts';
import { petList, removedPetList } from '../lists.ts';
import { removedPetColumns, tables } from '../tables.ts';
import { writeStatement } from './connection.ts';
import { pageReader, searchReader } from './reads/lists.ts';
import { defineTable, insertInto, itemWhere, updateIn, writtenColumns } from './table.ts';

export const petTable = defineTable(tables.pets);

const removalTable = defineTable(tables.removedPets);
/** Without the number of the removal, which is not shown. */
export const removedPetTable = defineTable<RemovedPet>({
  name: removalTable.name,
  columns: removedPetColumns,
});

export function petReads(db: DatabaseSync) {
  return {
    listPets: pageReader(db, petTable, petList),
    /** For a query with a name. */
    searchPets: searchReader(db, petTable, petList),
    getPet: itemWhere(db, petTable, 'id = ?'),
    listRemovedPets: searchReader(db, removedPetTable, removedPetList),
  };
}

export function petRows(db: DatabaseSync) {
  const columns = writtenColumns(petTable).join(', ');
  const insert = insertInto(db, petTable, { generated: 'id' });
  const insertRemoved = insertInto(db, removalTable, { generated: 'removal' });
  const remove = writeStatement(db, 'DELETE FROM pets WHERE id = ?');
  const restore = writeStatement(
    db,
    `INSERT INTO pets (${columns}) SELECT ${columns} FROM removed_pets WHERE id = ?`,
  );
  const forget = writeStatement(db, 'DELETE FROM removed_pets WHERE id = ?');

  return {
    pet: itemWhere(db, petTable, 'id = ?'),
    addPet: (pet: NewPet): Pet => ({ id: insert(pet), ...pet }),
    changePet: updateIn(db, petTable),
    removedPet: itemWhere(db, removedPetTable, 'id = ?'),
    removePet(pet: RemovedPet): void {
      insertRemoved(pet);
      remove.run(pet.id);
    },
    restorePet({ id }: Pet): void {
      restore.run(id);
      forget.run(id);
    },
  };
}
