import type { DatabaseSync } from 'node:sqlite';
import type { Pet } from '../../contract/pet.ts';
import { pageOfCandidates } from '../list-page.ts';
import type { Page, RemovedPet, RemovedPetQuery } from '../store.ts';
import { tables } from '../tables.ts';
import { writeStatement } from './connection.ts';
import { petTable } from './pets.ts';
import { defineTable, itemById, rowStatement, writtenColumns } from './table.ts';

const removedPetTable = defineTable(tables.removedPets);

export function removedPetReads(db: DatabaseSync) {
  const page = rowStatement(
    db,
    `SELECT removal, ${petTable.json} FROM removed_pets WHERE removal <= ? ORDER BY removal DESC LIMIT ?`,
  );
  const first = rowStatement(
    db,
    `SELECT removal, ${petTable.json} FROM removed_pets ORDER BY removal DESC LIMIT ?`,
  );

  return {
    listRemovedPets({ limit, from }: RemovedPetQuery): Page {
      const rows = from ? page.all(from.id, limit + 1) : first.all(limit + 1);
      const candidates = (rows as unknown as [bigint, string][]).map(([id, json]) => ({
        position: { id },
        json,
      }));
      return pageOfCandidates(candidates, limit);
    },
  };
}

export function removedPetRows(db: DatabaseSync) {
  const columns = writtenColumns(petTable).join(', ');
  const keep = writeStatement(
    db,
    `INSERT INTO removed_pets (${columns}, removed_at) SELECT ${columns}, ? FROM pets WHERE id = ?`,
  );
  const remove = writeStatement(db, 'DELETE FROM pets WHERE id = ?');
  const restore = writeStatement(
    db,
    `INSERT INTO pets (${columns}) SELECT ${columns} FROM removed_pets WHERE id = ?`,
  );
  const forget = writeStatement(db, 'DELETE FROM removed_pets WHERE id = ?');

  return {
    removedPet: itemById(db, removedPetTable) as (id: bigint) => RemovedPet | undefined,
    removePet({ id }: Pet): void {
      keep.run(Date.now(), id);
      remove.run(id);
    },
    restorePet({ id }: Pet): void {
      restore.run(id);
      forget.run(id);
    },
  };
}
