import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { targetOf, walOf } from '../../database-files.ts';
import { StoreError } from '../../store.ts';

/** The first column of the only row of `wal_owner`. */
const LABEL = 'animal-store wal owner';
export const NAME_LENGTH = 32;
/** The `previous` of the first name of a database; both are written by the migration that creates the table. */
const NO_NAME = '0'.repeat(NAME_LENGTH);

const WAL_HEADER = 32;
/** The last bit is the byte order of the checksums. */
const WAL_MAGIC = 0x377f0682;
const MOST_PAGE_SIZE = 65_536;
const FRAME_HEADER = 24;
/** The schema cookie in the header of a database. */
const COOKIE_AT = 40;
/** A running service may change both files while they are compared. */
const ATTEMPTS = 3;
const PAUSE_MS = 50;

/**
 * How a row of `wal_owner` begins in SQLite's record format: the length of the header, then the types of the columns up
 * to `current`. Text of a client cannot contain it, because of the zero byte.
 */
const ROW_START = Buffer.from([6, 0, ...[LABEL.length, NAME_LENGTH, NAME_LENGTH].map((n) => 13 + 2 * n)]);

/**
 * Refuses a `-wal` file that does not belong to the database file, before SQLite opens and combines the two: after a
 * crash, when the database was replaced by a backup, for example. Reads both and changes neither.
 */
export function assertOwnWal(path: string): void {
  const target = targetOf(path);
  const wal = statSync(walOf(path), { throwIfNoEntry: false });
  if (!wal || wal.size <= WAL_HEADER) return;
  if (!statSync(path, { throwIfNoEntry: false })?.size) {
    throw new StoreError(
      `the database ${path} is missing, but ${target}-wal contains changes to it: put the database back, or delete ${target}-wal and ${target}-shm to start a new one`,
    );
  }
  for (let attempt = 1; !belongsTogether(path); attempt++) {
    if (attempt === ATTEMPTS) {
      throw new StoreError(
        `${target}-wal contains changes to another database file than ${path}, which was probably replaced: put back the file that it belongs to, or delete ${target}-wal and ${target}-shm to use the database as it is`,
      );
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
  }
}

/** Also true if there is no information to decide by. */
function belongsTogether(path: string): boolean {
  const wal = readWal(walOf(path));
  if (wal.names.size === 0) return true;
  const database = readDatabase(path);
  if (!database) return true;
  // A copy by VACUUM INTO or the backup API has the names of its original, but other pages; and another schema cookie.
  return wal.names.has(database.name) && [database.namedCookie, ...wal.cookies].includes(database.cookie);
}

interface DatabaseState {
  readonly name: string;
  readonly cookie: number;
  readonly namedCookie: number;
}

/** The database file without its WAL. Undefined if that is not readable: then the WAL may contain the missing part. */
function readDatabase(path: string): DatabaseState | undefined {
  const url = pathToFileURL(resolve(path));
  url.search = 'immutable=1';
  let db: DatabaseSync | undefined;
  try {
    // Not by node:fs: closing the file there would release the locks that SQLite holds in this process.
    db = new DatabaseSync(url, { readOnly: true });
    const cookie = Number(db.prepare('PRAGMA schema_version').get()?.schema_version);
    const exists = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'wal_owner'").get();
    const row = exists && db.prepare('SELECT current, schema_cookie FROM wal_owner').get();
    if (!row) return { name: NO_NAME, cookie, namedCookie: cookie };
    return { name: String(row.current), cookie, namedCookie: Number(row.schema_cookie) };
  } catch {
    return undefined;
  } finally {
    db?.close();
  }
}

interface WalState {
  /** Every `previous` and `current` that was written to it. */
  readonly names: Set<string>;
  /** Every schema cookie that was written to it. */
  readonly cookies: number[];
}

/** The frames since the WAL was last restarted: those with the salts of its header. None if another process has removed it. */
function readWal(path: string): WalState {
  const state: WalState = { names: new Set(), cookies: [] };
  const file = openIfExists(path);
  if (file === undefined) return state;
  try {
    const header = Buffer.alloc(WAL_HEADER);
    readSync(file, header);
    const pageSize = header.readUInt32BE(8);
    // SQLite ignores a file that does not begin like a WAL.
    if (header.readUInt32BE(0) >>> 1 !== WAL_MAGIC >>> 1 || pageSize > MOST_PAGE_SIZE) return state;
    const frame = Buffer.alloc(FRAME_HEADER + pageSize);
    const page = frame.subarray(FRAME_HEADER);
    const salts = header.subarray(16, 24);
    for (
      let at = WAL_HEADER;
      readSync(file, frame, 0, frame.length, at) === frame.length;
      at += frame.length
    ) {
      if (!salts.equals(frame.subarray(8, 16))) break;
      if (frame.readUInt32BE(0) === 1) state.cookies.push(page.readUInt32BE(COOKIE_AT));
      const row = rowIn(page);
      if (row) {
        state.names.add(row.previous).add(row.current);
        state.cookies.push(row.cookie);
      }
    }
  } finally {
    closeSync(file);
  }
  return state;
}

function openIfExists(path: string): number | undefined {
  try {
    return openSync(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The row of `wal_owner`, if it is on this page. */
function rowIn(page: Buffer): { previous: string; current: string; cookie: number } | undefined {
  const start = page.indexOf(ROW_START);
  if (start < 0) return undefined;
  // The type of a small positive integer is its length in bytes.
  const cookieLength = page[start + ROW_START.length] ?? 0;
  const labelAt = start + ROW_START.length + 1;
  const previousAt = labelAt + LABEL.length;
  const currentAt = previousAt + NAME_LENGTH;
  const cookieAt = currentAt + NAME_LENGTH;
  const text = (from: number, to: number) => page.toString('latin1', from, to);
  if (text(labelAt, previousAt) !== LABEL || cookieLength < 1 || cookieLength > 4) return undefined;
  return {
    previous: text(previousAt, currentAt),
    current: text(currentAt, cookieAt),
    cookie: page.readIntBE(cookieAt, cookieLength),
  };
}
