import type { DatabaseSync } from 'node:sqlite';
import { StoreError } from '../../store.ts';
import { RESOURCES } from '../../tables.ts';
import { COUNT_ROWS, countsIn, type Dump, type DumpChunk, tableOfItems } from '../../tools/dump.ts';
import { withDatabase } from '../connection.ts';
import { cannotUse, isBusy } from '../errors.ts';
import { migrate } from '../schema/migrate.ts';
import { chunksOf, defineTable } from '../table.ts';

/**
 * Calls `receive` with everything in the file. Until it has ended, no other process can open the file, so that nothing is written to the old
 * store after it was copied; refuses a file that another process has open.
 */
export function readDump<T>(path: string, receive: (dump: Dump) => Promise<T>): Promise<T> {
  return withDatabase(path, { create: false }, (db) => {
    lock(db, path);
    return receive({ counts: countsIn(db.prepare(COUNT_ROWS).get()), chunks: readChunks(db, path) });
  });
}

/** An idle connection holds a shared lock on a file in WAL mode, which prevents an exclusive one. */
function lock(db: DatabaseSync, path: string): void {
  try {
    db.exec('PRAGMA locking_mode = EXCLUSIVE');
    migrate(db, path, { upgrade: true, ahead: 0 });
    db.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    if (!isBusy(error)) throw error;
    throw new StoreError(`the database ${path} is in use: stop the service, then move`, { cause: error });
  }
}

/** Errors name this database, not the one that receives the chunks. */
export function* readChunks(db: DatabaseSync, path: string): Generator<DumpChunk, void, undefined> {
  try {
    for (const resource of RESOURCES) {
      const { select, fromRow } = defineTable(tableOfItems(resource));
      for (const rows of chunksOf(db, select)) yield { resource, items: rows.map(fromRow) };
    }
  } catch (error) {
    throw cannotUse(path, error);
  }
}
