import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { type Migration, migrationsAfter } from '../migrations.ts';
import { StoreError } from '../store.ts';
import { pragma } from './connection.ts';

/** "ANST", in the header of every database of ours. */
const APPLICATION_ID = 0x414e5354;
const FOLDER = join(import.meta.dirname, 'migrations');

/**
 * Brings the schema up to date: the files of `migrations/` in their order, each in a transaction of its own with
 * the number that says it has run. Refuses, before it changes anything, a file that is not ours or is newer.
 */
export function migrate(db: DatabaseSync, path: string): void {
  for (const migration of migrationsAfter(ownVersion(db, path), FOLDER, path)) apply(db, migration);
}

/** The number of migrations that the file has seen; 0 for a new one. */
function ownVersion(db: DatabaseSync, path: string): number {
  // In one transaction: another process may be making the file ours at this moment.
  db.exec('BEGIN');
  const application = pragma(db, 'application_id');
  const empty = db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined;
  const version = Number(pragma(db, 'user_version'));
  db.exec('COMMIT');
  if (application !== APPLICATION_ID && !(application === 0 && empty)) {
    throw new StoreError(
      `the database ${path} belongs to another program: name another file in DATABASE_URL`,
    );
  }
  return version;
}

/** The version is read again inside the transaction: another process may have been faster. */
function apply(db: DatabaseSync, { version, sql }: Migration): void {
  db.exec('BEGIN IMMEDIATE');
  try {
    if (Number(pragma(db, 'user_version')) < version) {
      db.exec(`${sql}; PRAGMA user_version = ${version}; PRAGMA application_id = ${APPLICATION_ID}`);
    }
    db.exec('COMMIT');
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}
