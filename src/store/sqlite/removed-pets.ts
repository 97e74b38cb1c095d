import type { DatabaseSync } from 'node:sqlite';
import { type Author, petContent } from '../../contract/event.ts';
import { type Pet, petHasOpenOrder, petNotFound, petNotRemoved } from '../../contract/pet.ts';
import type { Precondition } from '../../contract/precondition.ts';
import { pageOfCandidates } from '../page.ts';
import type { Page, RemovedPetQuery } from '../store.ts';
import { writeStatement } from './connection.ts';
import type { RecordEvent } from './events.ts';
import { petChecks, petTable } from './pets.ts';
import { itemById, rowStatement, writtenColumns } from './table.ts';

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

export function removedPetActions(db: DatabaseSync, record: RecordEvent) {
  const { petToChange, hasOpenOrder } = petChecks(db);
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
  const find = itemById(db, petTable);

  return {
    removePet(id: bigint, precondition?: Precondition, by?: Author): void {
      const pet = petToChange(id, precondition);
      if (hasOpenOrder(id)) throw petHasOpenOrder();
      keep.run(Date.now(), id);
      remove.run(id);
      record('pet.removed', by, petContent(pet), id);
    },
    restorePet(id: bigint, by?: Author): Pet {
      if (find(id)) throw petNotRemoved();
      if (restore.run(id).changes === 0n) throw petNotFound();
      forget.run(id);
      const pet = find(id) as Pet;
      record('pet.restored', by, petContent(pet), id);
      return pet;
    },
  };
}
