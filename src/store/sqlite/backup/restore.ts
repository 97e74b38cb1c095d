import { rmSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { filesOf, statIfExists } from '../../database-files.ts';
import { DamagedFile, StoreError } from '../../store.ts';
import { connect } from '../connection.ts';
import { cannotUse, isBusy } from '../errors.ts';
import { versionsBehind } from '../schema/migrate.ts';
import { type BackupResult, copyDatabase, countContent } from './copy.ts';

/**
 * Makes the backup `from` the database `to`, unless its content is wrong. The lock on a store that is replaced keeps every other process out of it until
 * the new one has its name.
 */
export function restoreBackup(from: string, to: string, onVerify?: () => void): BackupResult {
  // A store that exists is checked before the work. One that does not exist is created after it, so that a failure leaves nothing.
  let target = statIfExists(to) ? lockEmptyStore(to) : undefined;
  try {
    const mode = statIfExists(to)?.mode ?? 0o600;
    const beforePublish = ({ problems: [problem] }: BackupResult) => {
      if (problem !== undefined)
        throw new StoreError(
          `the content of ${from} is wrong (${problem}): restore an earlier backup, or undo what was changed in it`,
        );
      target ??= lockEmptyStore(to);
      removeLogs(to);
    };
    return copyDatabase(from, to, { isBackup: true, mode, overwrite: true, onVerify, beforePublish });
  } finally {
    target?.close();
  }
}

/** Locks the store, which is created if it does not exist. Refuses one that is in use or contains anything. */
function lockEmptyStore(path: string): DatabaseSync {
  let db: DatabaseSync | undefined;
  try {
    db = connect(path);
    // A connection that is idle still has a shared lock on a file in WAL mode.
    db.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; ROLLBACK');
    versionsBehind(db, path);
    assertEmpty(db, path);
    // Removes the -wal file, and from here on this connection neither creates nor deletes a file: the new database gets the
    // same name while the connection is open.
    db.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return db;
  } catch (error) {
    db?.close();
    const found = cannotUse(path, error);
    // It is the store that is damaged, not the backup.
    if (found instanceof DamagedFile) {
      const what = found.message.slice(0, found.message.lastIndexOf(': '));
      throw new StoreError(`${what}: name another database, or move it away, and restore again`, {
        cause: error,
      });
    }
    if (!isBusy(error)) throw found;
    throw new StoreError(`the database ${path} is in use: stop the service, then restore`, { cause: error });
  }
}

function assertEmpty(db: DatabaseSync, path: string): void {
  const { animals, removedAnimals, orders, keys } = countContent(db);
  if (animals + removedAnimals + orders + keys === 0) return;
  throw new StoreError(
    `the database ${path} is not empty (animals: ${animals + removedAnimals}, orders: ${orders}, API keys: ${keys}): move it away first, or restore into another file with --database`,
  );
}

/** Removes what SQLite would apply to a database file of this name. The store is empty, so nothing is lost. */
function removeLogs(path: string): void {
  for (const file of filesOf(path)) if (file !== path) rmSync(file, { force: true });
}
