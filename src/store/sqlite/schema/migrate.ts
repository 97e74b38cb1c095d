import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import {
  assertSinceBaseline,
  type MigrateOptions,
  type Migration,
  migrationLine,
  migrationsAfter,
  newestVersion,
  noStoreIn,
  notUpgraded,
  VERSIONS_AHEAD,
} from '../../migrations.ts';
import { StoreError } from '../../store.ts';
import { bytesOf, pragma } from '../connection.ts';

/** "ANST", in the header of every database of this program. */
const APPLICATION_ID = 0x414e5354;
/** A migration of more may take longer than a second. */
const LARGE_BYTES = 32 * 1024 * 1024;
export const FOLDER = join(import.meta.dirname, '../migrations');

/**
 * Applies the missing migrations in order, each in its own transaction together with the new version number. Refuses a
 * file of another program, of a newer version or from before the baseline before it changes anything, and without `upgrade` also one of an
 * older version.
 */
export function migrate(
  db: DatabaseSync,
  path: string,
  { upgrade, mustExist, onMigration, ahead, folder = FOLDER }: MigrateOptions = {},
): void {
  const version = schemaVersion(db, path);
  const missing = migrationsAfter(version, folder, path, ahead);
  // A new file gets its whole schema at once: no other process sees it as one of an older version.
  const steps = version === 0 ? [missing] : missing.map((migration) => [migration]);
  if (version === 0 && mustExist) throw noStoreIn(path);
  if (version > 0 && missing.length > 0 && !upgrade) throw notUpgraded(path);
  for (const [i, step] of steps.entries()) {
    // Nothing can be said while a statement runs.
    if (bytesOf(db) > LARGE_BYTES) onMigration?.(migrationLine(path, i + 1, steps.length));
    apply(db, step);
  }
}

/** A function that tells whether a version that this one cannot run beside has upgraded the file meanwhile. If the file cannot be read now, the last answer holds. */
export function upgradeCheck(db: DatabaseSync): () => boolean {
  const newest = newestVersion(FOLDER) + VERSIONS_AHEAD;
  const version = db.prepare('PRAGMA user_version');
  let isUpgraded = false;
  return () => {
    try {
      isUpgraded = Number(version.get()?.user_version) > newest;
    } catch {}
    return isUpgraded;
  };
}

/** By how many versions the next start of the service upgrades the file; below zero if a newer version has made it. Refuses what `migrate` refuses. */
export function versionsBehind(db: DatabaseSync, path: string): number {
  const version = schemaVersion(db, path);
  migrationsAfter(version, FOLDER, path);
  return newestVersion(FOLDER) - version;
}

/** The version of the file's schema; 0 for a new file. Refuses a file of another program or from before the baseline. */
export function schemaVersion(db: DatabaseSync, path: string): number {
  // In one transaction, because another process may be creating the schema at this moment.
  db.exec('BEGIN');
  const application = pragma(db, 'application_id');
  const empty = db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined;
  const version = Number(pragma(db, 'user_version'));
  db.exec('COMMIT');
  if (application !== APPLICATION_ID && !(application === 0 && empty)) {
    throw new StoreError(`the database ${path} belongs to another program: name another file`);
  }
  assertSinceBaseline(version, FOLDER, path);
  return version;
}

/** In one transaction. Reads the version again inside it, because another process may have been faster. */
function apply(db: DatabaseSync, migrations: readonly Migration[]): void {
  db.exec('BEGIN IMMEDIATE');
  try {
    for (const { version, sql } of migrations) {
      if (Number(pragma(db, 'user_version')) < version)
        db.exec(`${sql}; PRAGMA user_version = ${version}; PRAGMA application_id = ${APPLICATION_ID}`);
    }
    db.exec('COMMIT');
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}
