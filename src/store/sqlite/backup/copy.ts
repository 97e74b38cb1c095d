import { closeSync, existsSync, openSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { walOf } from '../../database-files.ts';
import { StoreError } from '../../store.ts';
import { assertNoLogAlone } from '../connection.ts';
import { cannotUse, isDamage, primaryCode } from '../errors.ts';
import { damageIn } from '../file/damage.ts';
import { altered, schemaProblems } from '../file/schema-check.ts';
import { knownVersion } from '../migrate.ts';
import { type ContentCounts, countContent, countUpTo, highestIds } from './content-counts.ts';
import { createPartial, removePartial } from './partial-file.ts';
import { publish } from './publish.ts';

/** How long to wait for a lock: a copy can wait longer than a request. */
const BUSY_MS = 30_000;
const NOT_A_DATABASE = 26;

interface CopyOptions {
  /** For a source that may be on a read-only disk. */
  readonly readOnly?: boolean;
  /** The access rights of the copy; without it, those of the source. */
  readonly mode?: number;
  /** Called when the copy is complete and its verification begins. */
  readonly onVerify?: () => void;
}

/** A verified copy that has no name yet. */
export interface Copy {
  readonly counts: ContentCounts;
  readonly bytes: number;
  /** Gives it its name; see `publish`. */
  publishAs(path: string, options: { readonly overwrite: boolean }): void;
  /** Releases it; removes it unless it was published. */
  close(): void;
}

/**
 * Copies a database of one moment into the file `partial`, and verifies it. Other processes may write to the source all the
 * time: VACUUM INTO is one read transaction, which neither blocks them nor starts over. The source is not changed, and an
 * older schema is copied as it is.
 */
export function copyDatabase(
  source: string,
  partial: string,
  { readOnly = false, mode = statSync(source).mode, onVerify = () => {} }: CopyOptions = {},
): Copy {
  const from = openSource(source, readOnly);
  let copy: DatabaseSync | undefined;
  let descriptor: number | undefined;
  const close = () => {
    copy?.close();
    from.close();
    if (descriptor !== undefined) closeSync(descriptor);
    removePartial(partial);
  };
  try {
    createPartial(partial);
    vacuumInto(from, partial);
    descriptor = openSync(partial, 'r+');
    copy = new DatabaseSync(partial, { readOnly: true });
    // A read lock until `close`, by which others see that the file is in use; see `removeAbandoned`.
    copy.exec('BEGIN');
    onVerify();
    const counts = verify(copy, from, source);
    const options = { descriptor, mode: mode & 0o777 };
    return {
      counts,
      bytes: statSync(partial).size,
      publishAs: (path, { overwrite }) => publish(partial, path, { ...options, overwrite }),
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
function openSource(path: string, readOnly: boolean): DatabaseSync {
  assertNoLogAlone(path);
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(readOnly ? unchanging(path) : path, {
      readOnly,
      timeout: BUSY_MS,
    });
    if (knownVersion(db, path) === 0)
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

/**
 * Checks every page, index, trigger and count of the copy, and that it has every row of its moment. No row disappears
 * for good and ids only grow, so at any later time the rows of that moment are those up to the highest ids of the copy.
 */
function verify(copy: DatabaseSync, source: DatabaseSync, path: string): ContentCounts {
  const [damage] = damageIn(copy, 1);
  if (damage !== undefined) throw damaged(path, damage);
  const [problem] = schemaProblems(copy);
  if (problem !== undefined) throw altered(path, problem);
  const highest = highestIds(copy);
  const copied = countUpTo(copy, highest);
  const expected = countUpTo(source, highest);
  if (copied.join() !== expected.join())
    throw new StoreError(
      `the copy has ${copied.join(', ')} animals, orders and keys instead of ${expected.join(', ')}: try again`,
    );
  return countContent(copy);
}
