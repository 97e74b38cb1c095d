import type { DatabaseSync } from 'node:sqlite';
import type { ImportSummary } from '../../../contract/event.ts';
import type { ImportOptions, ImportResult, PetBatches } from '../../tools/pet-transfer.ts';
import {
  type ImportTransaction,
  importStaged,
  STAGED_CATEGORY_ID,
  stagedTable,
} from '../../tools/staged-pets.ts';
import { categoryRows, takeCategoryIds } from '../categories.ts';
import { COMMAND_BUSY_MS, makeDurable, withDatabase, writeStatement } from '../connection.ts';
import { eventRows } from '../events.ts';
import { petRows, petTable } from '../pets.ts';
import { migrate } from '../schema/migrate.ts';
import { defineTable, insertInto, writtenColumns } from '../table.ts';

/** With a larger cache, an import takes more than 200 MB of memory. */
const CACHE_KIB = 20_480;

/** In a temporary file that the operating system deletes with the process. */
const staged = defineTable({ ...stagedTable, name: 'temp.staged_pets' });

/**
 * Reads everything into a temporary table first, which needs no lock on the database. Then one transaction copies the rows:
 * the write lock is held only for that.
 */
export function importPets(path: string, batches: PetBatches, options: ImportOptions): Promise<ImportResult> {
  const opening = { create: options.create === true, busyMs: COMMAND_BUSY_MS };
  return withDatabase(path, opening, async (db) => {
    migrate(db, path);
    makeDurable(db, path);
    await stage(db, batches);
    const isCheck = options.isCheck?.() ?? false;
    db.exec(`PRAGMA cache_size = -${CACHE_KIB}; BEGIN ${isCheck ? 'DEFERRED' : 'IMMEDIATE'}`);
    const result = await importStaged(transactionOn(db), options, isCheck);
    db.exec(isCheck ? 'ROLLBACK' : 'COMMIT');
    return result;
  });
}

async function stage(db: DatabaseSync, batches: PetBatches): Promise<void> {
  const columns = writtenColumns(staged).join(', ');
  db.exec(`CREATE TABLE ${staged.name} (place INTEGER PRIMARY KEY, ${columns})`);
  const insert = insertInto(db, staged);
  for await (const pets of batches) {
    db.exec('BEGIN');
    for (const pet of pets) insert(pet);
    db.exec('COMMIT');
  }
}

function transactionOn(db: DatabaseSync): ImportTransaction {
  const { addCategory } = categoryRows(db);
  const { changePet } = petRows(db);
  const { record } = eventRows(db);

  return {
    columns: petTable.columns,
    changeable: 'pets',
    rows: <Row>(statement: string) => writeStatement(db, statement).all() as Row[],
    // The whole database is locked.
    lockPets() {},
    takeCategoryIds: (count) => takeCategoryIds(db, [STAGED_CATEGORY_ID])(count),
    addCategories: (categories) => categories.forEach(addCategory),
    changePets: (pets) => pets.forEach(changePet),
    addPets: (statement) => addPets(db, statement),
    record(events) {
      for (const event of events) record(event);
    },
  };
}

function addPets(db: DatabaseSync, statement: string): ImportSummary {
  const added = writeStatement(db, statement).run().changes;
  const range = writeStatement(
    db,
    'SELECT count(*) AS count, min(id) AS firstId, max(id) AS lastId FROM (SELECT id FROM pets ORDER BY id DESC LIMIT ?)',
  );
  return range.get(added) as unknown as ImportSummary;
}
