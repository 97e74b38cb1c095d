import { closeSync, existsSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { partialOf, removePartial, walOf } from '../../database-files.ts';
import { StoreError } from '../../store.ts';
import { assertNoLogAlone, COMMAND_BUSY_MS } from '../connection.ts';
import { cannotUse, isDamage, primaryCode } from '../errors.ts';
import { damageIn } from '../file/damage.ts';
import { contentProblems } from '../schema/content-check.ts';
import { knownVersion, schemaVersion } from '../schema/migrate.ts';
import { type ContentCounts, countContent } from './content-counts.ts';
import { createPartial, publish } from './publish.ts';

const NOT_A_DATABASE = 26;

interface CopyOptions {
  /** For a file to restore, which must be of a known version and may be on a read-only disk. */
  readonly isBackup?: boolean;
  /** The access rights of the copy; without it, those of the source. */
  readonly mode?: number;
  /** Called when the copy is complete and its verification begins. */
  readonly onVerify?: (() => void) | undefined;
}

/** A copy without damage that has no name yet. */
export interface Copy {
  readonly counts: ContentCounts;
  /** What in its content the program would never write; empty if nothing. */
  readonly problems: readonly string[];
  readonly bytes: number;
  /** Gives it its name; see `publish`. */
  publish(options: { readonly overwrite: boolean }): void;
  /** Releases it; removes it unless it was published. */
  close(): void;
}

/**
 * Copies a database of one moment into the partial file of `target`, and verifies it. Other processes may write to the source all the
 * time: VACUUM INTO is one read transaction, which neither blocks them nor starts over. The source is not changed, and the schema of
 * another version is copied as it is. A process that is ended meanwhile leaves the partial file, which the next copy replaces.
 */
export function copyDatabase(
  source: string,
  target: string,
  { isBackup = false, mode = statSync(source).mode, onVerify = () => {} }: CopyOptions = {},
): Copy {
  const partial = partialOf(target);
  const from = openSource(source, isBackup);
  let copy: DatabaseSync | undefined;
  let descriptor: number | undefined;
  const close = () => {
    copy?.close();
    from.close();
    if (descriptor !== undefined) closeSync(descriptor);
    removePartial(target);
  };
  try {
    descriptor = createPartial(target);
    vacuumInto(from, partial);
    copy = new DatabaseSync(partial, { readOnly: true });
    onVerify();
    const [damage] = damageIn(copy, 1);
    if (damage !== undefined) throw damaged(source, damage);
    const options = { descriptor, mode: mode & 0o777 };
    return {
      counts: countContent(copy),
      problems: contentProblems(copy),
      bytes: statSync(partial).size,
      publish: ({ overwrite }) => publish(target, { ...options, overwrite }),
      close,
    };
  } catch (error) {
    close();
    throw isDamage(error) ? damaged(source, (error as Error).message) : error;
  }
}

const damaged = (path: string, how: string) =>
  new StoreError(`${path} is damaged (${how}): restore an earlier backup`);

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
    db = new DatabaseSync(isBackup ? unchanging(path) : path, {
      readOnly: isBackup,
      timeout: COMMAND_BUSY_MS,
    });
    if ((isBackup ? knownVersion : schemaVersion)(db, path) === 0)
      throw new StoreError(`${path} is empty: it is not an Animal Store database`);
    return db;
  } catch (error) {
    db?.close();
    if (primaryCode(error) === NOT_A_DATABASE)
      throw new StoreError(`${path} is not an Animal Store database`, { cause: error });
    throw isDamage(error) ? damaged(path, (error as Error).message) : cannotUse(path, error);
  }
}

/** A file that no process has open is read without creating a -shm file beside it, which a read-only disk would not allow. */
function unchanging(path: string): string | URL {
  if (existsSync(walOf(path))) return path;
  const url = pathToFileURL(path);
  url.search = 'immutable=1';
  return url;
}
