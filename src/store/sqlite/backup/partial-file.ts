import { randomBytes } from 'node:crypto';
import { closeSync, lstatSync, openSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isBusy } from '../errors.ts';

/** While SQLite writes it, it has a journal. */
const NAME = /^(\.animal-store-[0-9a-f]{16}\.partial)(?:-journal)?$/;
/** For this long, an empty file may belong to a process that is about to lock it. If it takes longer, its backup fails. */
const STARTING_MS = 1000;

/** A name for a file that is being written, in the folder in which it will get its final name. */
export const partialIn = (folder: string): string =>
  join(folder, `.animal-store-${randomBytes(8).toString('hex')}.partial`);

/** Creates it empty. No other account can read it: it will contain digests of API keys. */
export function createPartial(path: string): void {
  closeSync(openSync(path, 'wx', 0o600));
}

export function removePartial(path: string): void {
  rmSync(path, { force: true });
  rmSync(`${path}-journal`, { force: true });
}

/**
 * Removes the partial files of backups and restores that were killed. The process that writes one has it locked as an
 * SQLite database, and the operating system releases the lock when the process ends, however it ends.
 */
export function removeAbandoned(folder: string): void {
  const names = readdirSync(folder).flatMap((name) => NAME.exec(name)?.[1] ?? []);
  for (const name of new Set(names)) removeIfAbandoned(join(folder, name));
}

function removeIfAbandoned(path: string): void {
  let db: DatabaseSync | undefined;
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats && (!stats.isFile() || (stats.size === 0 && Date.now() - stats.mtimeMs < STARTING_MS))) return;
    // Without it, there is only its journal.
    if (stats) db = new DatabaseSync(path);
    if (!db || !isInUse(db)) removePartial(path);
  } catch {
    // It is gone, or belongs to another account.
  } finally {
    db?.close();
  }
}

function isInUse(db: DatabaseSync): boolean {
  try {
    db.exec('BEGIN EXCLUSIVE');
    return false;
  } catch (error) {
    // Any other error: half a file is not a database.
    return isBusy(error);
  }
}
