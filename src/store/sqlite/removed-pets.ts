import type { DatabaseSync } from 'node:sqlite';
import type { Pet, RemovedPet } from '../../contract/pet.ts';
import { removedPetList } from '../lists.ts';
import { removedPetColumns, tables } from '../tables.ts';
import { writeStatement } from './connection.ts';
import { petTable } from './pets.ts';
import { searchReader } from './reads/lists.ts';
import { defineTable, insertInto, itemWhere, writtenColumns } from './table.ts';

const removalTable = defineTable(tables.removedPets);
/** Without the number of the removal, which is not shown. */
export const removedPetTable = defineTable<RemovedPet>({
  name: removalTable.name,
  columns: removedPetColumns,
});

export const removedPetReads = (db: DatabaseSync) => ({
  listRemovedPets: searchReader(db, removedPetTable, removedPetList),
});

export function removedPetRows(db: DatabaseSync) {
  const columns = writtenColumns(petTable).join(', ');
  const insert = insertInto(db, removalTable, { generated: 'removal' });
  const remove = writeStatement(db, 'DELETE FROM pets WHERE id = ?');
  const restore = writeStatement(
    db,
    `INSERT INTO pets (${columns}) SELECT ${columns} FROM removed_pets WHERE id = ?`,
  );
  const forget = writeStatement(db, 'DELETE FROM removed_pets WHERE id = ?');

  return {
    removedPet: itemWhere(db, removedPetTable, 'id = ?') as (id: bigint) => RemovedPet | undefined,
    removePet(pet: RemovedPet): void {
      insert(pet);
      remove.run(pet.id);
    },
    restorePet({ id }: Pet): void {
      restore.run(id);
      forget.run(id);
    },
  };
}
