import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
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
  const files = readdirSync(FOLDER).sort();
  const version = ownVersion(db, path);
  if (version > files.length) {
    throw new StoreError(
      `the database ${path} was made by a newer version of this program (schema ${version}, this one knows ${files.length}): update the program`,
    );
  }
  for (const [index, file] of files.entries()) apply(db, index + 1, readFileSync(join(FOLDER, file), 'utf8'));
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
function apply(db: DatabaseSync, version: number, sql: string): void {
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
