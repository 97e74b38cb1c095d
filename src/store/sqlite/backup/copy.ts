import { existsSync, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { walOf } from '../../database-files.ts';
import { fileError } from '../../file-errors.ts';
import { closePartial, createPartial, partialOf, publish } from '../../partial-file.ts';
import { StoreError } from '../../store.ts';
import { tables } from '../../tables.ts';
import { assertNoLogAlone, COMMAND_BUSY_MS, openFile } from '../connection.ts';
import { cannotUse, damaged, isDamage } from '../errors.ts';
import { contentProblems, damageIn } from '../schema/content-check.ts';
import { schemaVersion, versionsBehind } from '../schema/migrate.ts';

/** IOERR_READ and IOERR_SHORT_READ: it is not the copy that fails. */
const READS = [266, 522];

export interface BackupResult {
  readonly counts: ReturnType<typeof countContent>;
  readonly bytes: number;
  /** Content that the program would never write, for which `restore` refuses the file; empty if there is none. */
  readonly problems: readonly string[];
}

export interface BackupOptions {
  /** Whether to replace an existing file. */
  readonly overwrite: boolean;
  /** Called when the copy is complete and its verification begins. */
  readonly onVerify?: (() => void) | undefined;
}

interface CopyOptions extends BackupOptions {
  /** For a file to restore, which must be of a known version and may be on a read-only disk. */
  readonly isBackup?: boolean;
  /** The access rights of the copy; without it, those of the source. */
  readonly mode?: number;
  /** Called with what the copy contains before it gets its name. */
  readonly beforePublish?: (copy: BackupResult) => void;
}

/**
 * Copies a database of one moment into the partial file of `target`, verifies it, and gives it its name; see `publish`. Other processes may
 * write to the source all the time: VACUUM INTO is one read transaction, which neither blocks them nor starts over. The source is not changed,
 * and the schema of another version is copied as it is. A process that is ended meanwhile leaves the partial file, which the next copy replaces.
 *
 * Whatever can be read is copied, and then reported: a store that was changed by hand needs a backup more than any other.
 */
export function copyDatabase(
  source: string,
  target: string,
  { isBackup = false, mode = statSync(source).mode, overwrite, onVerify, beforePublish }: CopyOptions,
): BackupResult {
  const from = openSource(source, isBackup);
  let descriptor: number | undefined;
  try {
    descriptor = createPartial(target);
    vacuumInto(from, partialOf(target));
    onVerify?.();
    const copy = verify(source, partialOf(target));
    beforePublish?.(copy);
    publish(target, { descriptor, mode: mode & 0o777, overwrite });
    return copy;
  } catch (error) {
    if (isDamage(error) || READS.includes((error as { errcode?: number }).errcode ?? 0))
      throw cannotUse(source, error);
    throw fileError(error, [partialOf(target)]);
  } finally {
    from.close();
    if (descriptor !== undefined) closePartial(target, descriptor);
  }
}

/** What the copy at `path` contains. Refuses a damaged one. */
function verify(source: string, path: string): BackupResult {
  const copy = openFile(path, { readOnly: true });
  try {
    const [damage] = damageIn(copy, 1);
    if (damage !== undefined) throw damaged(source, damage);
    return { counts: countContent(copy), bytes: statSync(path).size, problems: contentProblems(copy) };
  } finally {
    copy.close();
  }
}

/** What makes a store worth keeping, by number of rows. A table that the schema lacks counts as empty. */
export function countContent(db: DatabaseSync) {
  const exists = db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?");
  const count = ({ name }: { readonly name: string }): number =>
    exists.get(name) ? Number(db.prepare(`SELECT count(*) AS rows FROM ${name}`).get()?.rows) : 0;
  return {
    animals: count(tables.pets),
    removedAnimals: count(tables.removedPets),
    orders: count(tables.orders),
    keys: count(tables.keys),
  };
}

/** Not synced here: `publish` does that once. The source is synced as always when the connection is closed. */
function vacuumInto(db: DatabaseSync, path: string): void {
  db.exec('PRAGMA synchronous = OFF');
  try {
    db.prepare('VACUUM INTO ?').run(path);
  } finally {
    db.exec('PRAGMA synchronous = FULL');
  }
}

/** Where no service runs, only a connection that may write removes the -wal and -shm files that it has created. */
function openSource(path: string, isBackup: boolean): DatabaseSync {
  assertNoLogAlone(path);
  let db: DatabaseSync | undefined;
  try {
    db = openFile(isBackup ? unchanging(path) : path, {
      readOnly: isBackup,
      timeout: COMMAND_BUSY_MS,
    });
    if (isBackup) versionsBehind(db, path);
    if (schemaVersion(db, path) === 0)
      throw new StoreError(`${path} is empty: it is not an Animal Store database`);
    return db;
  } catch (error) {
    db?.close();
    throw cannotUse(path, error);
  }
}

/** A file that no process has open is read without creating a -shm file beside it, which a read-only disk would not allow. */
function unchanging(path: string): string | URL {
  if (existsSync(walOf(path))) return path;
  const url = pathToFileURL(path);
  url.search = 'immutable=1';
  return url;
}
