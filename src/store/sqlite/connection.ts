import { closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type DatabaseSyncOptions, type StatementSync } from 'node:sqlite';
import { LARGE_WAL_BYTES, targetOf, walOf } from '../database-files.ts';
import { MEMORY } from '../database-url.ts';
import { StoreError } from '../store.ts';
import { cannotUse, commandError } from './errors.ts';
import { stopBetweenCommits } from './suspension.ts';

/** How long a write of a request waits, on the writer's thread, for a lock that another process holds. */
export const BUSY_MS = 2000;
/** How long a command waits for one: a service that is busy leaves it little time between two commits. */
export const COMMAND_BUSY_MS = 30_000;

/** Opens the file; with `create`, creates it and its folder when they are missing. Changes nothing in a file that exists. */
export function connect(path: string, { create = true, busyMs = BUSY_MS } = {}): DatabaseSync {
  if (path === MEMORY) return new DatabaseSync(path);
  if (!create && !statSync(path, { throwIfNoEntry: false }))
    throw new StoreError(`there is no database ${path}`);
  assertSafeVersion();
  assertNoLogAlone(path);
  mkdirSync(dirname(path), { recursive: true });
  if (create) createPrivate(targetOf(path));
  return openFile(path, { timeout: busyMs });
}

/** Opens the file for a command, and closes it. Rejects with one line that says why it cannot be used. */
export async function withDatabase<T>(
  path: string,
  options: Parameters<typeof connect>[1],
  work: (db: DatabaseSync) => T | Promise<T>,
): Promise<T> {
  let db: DatabaseSync | undefined;
  try {
    db = connect(path, options);
    return await work(db);
  } catch (error) {
    throw db ? commandError(path, error) : cannotUse(path, error);
  } finally {
    db?.close();
  }
}

/** Opens a file, as every connection to one is opened. */
export function openFile(path: string | URL, options: DatabaseSyncOptions = {}): DatabaseSync {
  assertSafeVersion();
  stopBetweenCommits();
  return new DatabaseSync(path, options);
}

/**
 * Whether this version of SQLite has the fix of its WAL-reset bug (https://sqlite.org/wal.html#walresetbug): without it, a file can be damaged when
 * two connections write and copy the log into the database at the same moment.
 */
export function isSafeVersion(version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  if (major !== 3 || minor > 51) return major > 3 || minor > 51;
  return patch >= ({ 51: 3, 50: 7, 44: 6 }[minor] ?? Number.POSITIVE_INFINITY);
}

let version: string | undefined;

/** Asks SQLite itself: `process.versions.sqlite` is what Node was compiled with, and Node may use the library of the system. */
export function sqliteVersion(): string {
  if (version !== undefined) return version;
  const db = new DatabaseSync(MEMORY);
  version = String(db.prepare('SELECT sqlite_version() AS version').get()?.version);
  db.close();
  return version;
}

function assertSafeVersion(): void {
  if (isSafeVersion(sqliteVersion())) return;
  throw new StoreError(
    `SQLite ${version} can damage a database file (https://sqlite.org/wal.html#walresetbug), so this program opens none with it: install the newest Node 24 or 26 from https://nodejs.org; a Node that uses the SQLite of the system needs SQLite 3.51.3 or later there`,
  );
}

/**
 * Refuses a write-ahead log whose database file is missing or empty: SQLite would delete the log, which may hold the only copy of
 * acknowledged writes. The log is looked for first, because another process may be creating both.
 */
export function assertNoLogAlone(path: string): void {
  const wal = walOf(path);
  if (sizeOf(wal) === 0 || sizeOf(path) > 0) return;
  throw new StoreError(
    `the database ${path} is missing or empty, but ${wal} has changes to it: put the database file back, or move ${wal} to another folder to start with a new database`,
  );
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** No other account can read the file, nor its -wal and -shm files, which get the same rights: they contain digests of API keys. */
function createPrivate(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch {
    // The file exists, or SQLite will say why it cannot be created.
  }
}

/**
 * Makes every commit durable before it returns, and checks that SQLite has accepted that. On macOS, fsync leaves the data in the
 * cache of the disk, where a power failure can lose it; the two settings for it have no effect elsewhere.
 */
export function makeDurable(db: DatabaseSync, path: string): void {
  if (path === MEMORY) return;
  db.exec(
    `PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA journal_size_limit = ${LARGE_WAL_BYTES};
     PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON`,
  );
  // The first read opens the -wal file; from then on the connection does not depend on the paths.
  db.prepare('SELECT 1 FROM sqlite_schema').get();
  const mode = pragma(db, 'journal_mode');
  const synchronous = pragma(db, 'synchronous');
  if (mode !== 'wal' || synchronous !== 2) {
    throw new StoreError(
      `the database ${path} cannot be made durable here (journal_mode ${mode}, synchronous ${synchronous}): keep it on a local disk`,
    );
  }
}

/**
 * A statement that changes something. `run` of every statement returns the id that was inserted last, and throws for an id
 * over 2^53 unless it may return a bigint.
 */
export function writeStatement(db: DatabaseSync, sql: string): StatementSync {
  const statement = db.prepare(sql);
  statement.setReadBigInts(true);
  return statement;
}

/** Without the write-ahead log. */
export const bytesOf = (db: DatabaseSync): number =>
  Number(pragma(db, 'page_count')) * Number(pragma(db, 'page_size'));

export function walBytesOf(db: DatabaseSync): number {
  const file = db.location();
  return file === null ? 0 : sizeOf(walOf(file));
}

export function pragma(db: DatabaseSync, name: string): unknown {
  return Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0];
}
