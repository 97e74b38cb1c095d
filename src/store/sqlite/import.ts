import type { DatabaseSync } from 'node:sqlite';
import type { Pet } from '../../contract/pet.ts';
import { duplicateId, type ImportOptions, notEmpty, type PetBatches } from '../pet-transfer.ts';
import { connect, makeDurable } from './connection.ts';
import { cannotUse, fromSqliteError, isDamage, primaryCode } from './errors.ts';
import { WalOwner } from './file/wal-owner.ts';
import { migrate } from './migrate.ts';
import { petTable } from './pets.ts';
import { insertInto, writtenColumns } from './table.ts';

/** A running service commits in between, and an import of any size can wait for that. */
const BUSY_MS = 30_000;
/** Less makes the random insertions into the index on names slower; more exceeds 200 MB of memory. */
const CACHE_KIB = 20_480;
const SQLITE_CONSTRAINT = 19;

/** The same columns as `pets`, in a temporary file that the operating system deletes with the process. */
const staged = { ...petTable, name: 'temp.staged_pets' };

/**
 * Reads everything into a temporary table first, which needs no lock on the database. Then one statement copies the rows:
 * the write lock is held only for that, about 7 seconds of CPU time for a million animals.
 */
export async function importPets(
  path: string,
  batches: PetBatches,
  { keepIds, create = false, onCommit }: ImportOptions,
): Promise<number> {
  let db: DatabaseSync | undefined;
  try {
    db = connect(path, { create });
    db.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
    migrate(db, path);
    makeDurable(db, path);
    if (keepIds) assertEmpty(db);
    const count = await stage(db, batches, keepIds);
    onCommit?.();
    commit(db, path, keepIds);
    return count;
  } catch (error) {
    throw db && !isDamage(error) ? fromSqliteError(error) : cannotUse(path, error);
  } finally {
    db?.close();
  }
}

async function stage(db: DatabaseSync, batches: PetBatches, keepIds: boolean): Promise<number> {
  const columns = writtenColumns(petTable, 'id');
  db.exec(`CREATE TABLE ${staged.name} (id INTEGER PRIMARY KEY, ${columns.join(', ')})`);
  const insert = keepIds ? insertInto(db, staged) : insertInto(db, staged, { generated: 'id' });
  let count = 0;
  for await (const pets of batches) {
    db.exec('BEGIN');
    for (const pet of pets) insertOne(insert, pet as Pet);
    db.exec('COMMIT');
    count += pets.length;
  }
  return count;
}

function insertOne(insert: (pet: Pet) => unknown, pet: Pet): void {
  try {
    insert(pet);
  } catch (error) {
    throw primaryCode(error) === SQLITE_CONSTRAINT ? duplicateId(error) : error;
  }
}

function commit(db: DatabaseSync, path: string, keepIds: boolean): void {
  const walOwner = new WalOwner(db, path);
  const list = writtenColumns(petTable, keepIds ? undefined : 'id').join(', ');
  try {
    db.exec(`PRAGMA cache_size = -${CACHE_KIB}; BEGIN IMMEDIATE`);
    if (keepIds) assertEmpty(db);
    db.exec(`INSERT INTO pets (${list}) SELECT ${list} FROM ${staged.name} ORDER BY id; COMMIT`);
    walOwner.update();
  } finally {
    walOwner.close();
  }
}

function assertEmpty(db: DatabaseSync): void {
  if (db.prepare('SELECT 1 FROM pets LIMIT 1').get()) throw notEmpty();
}
