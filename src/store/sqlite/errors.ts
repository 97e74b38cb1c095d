import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { ApiError } from '../../contract/errors.ts';
import { filesOf } from '../database-files.ts';
import { fileError, primaryCode } from '../file-errors.ts';
import { UpgradedMeanwhile } from '../migrations.ts';
import { DamagedFile, StoreError, StoreUnavailableError } from '../store.ts';
import type { FileProblem } from './file-identity.ts';

/** Why nothing may be written to an open database: its file is another one, or a newer version of the program has upgraded it. */
export type WriteProblem = FileProblem | 'upgraded';

/** SQLite's primary result codes for a database that cannot be used now, but may be later. */
const TRANSIENT = new Map([
  [5, 'locked by another process'],
  [6, 'locked'],
  [8, 'read-only'],
  [10, 'failing to read or write its disk'],
  [13, 'full'],
  [14, 'not accessible'],
  [15, 'locked by another process'],
]);

/** SQLITE_CORRUPT and SQLITE_NOTADB. */
const DAMAGED = [11, 26];

/** Whether another connection has locked the database. */
export const isBusy = (error: unknown): boolean => primaryCode(error) === 5;

/** The line for the person who runs a command that fails while it uses the database. */
export function commandError(path: string, error: unknown): Error {
  if (primaryCode(error) === 0) return error as Error;
  const explained = cannotUse(path, error);
  if (error instanceof ApiError) explained.message += `; ${UNKNOWN}`;
  return explained;
}

/** The error to respond with: `unavailable` when the condition may pass, otherwise the error itself. */
export function fromSqliteError(error: unknown): Error {
  if (error instanceof ApiError) return error;
  const reason = TRANSIENT.get(primaryCode(error));
  if (reason === undefined) return error as Error;
  return new ApiError('unavailable', `The database is ${reason}. Try again in a moment.`, { cause: error });
}

/** Whether the content of the database file is damaged. SQLite also reports this when the disk fails to read (EIO). */
export const isDamage = (error: unknown): boolean => DAMAGED.includes(primaryCode(error));

/** One line that says why the database cannot be used at all. */
export function cannotUse(path: string, error: unknown): Error {
  const explained = fileError(error, filesOf(path));
  if (explained !== error || error instanceof StoreError) return explained;
  if (isDamage(error)) return damaged(path, (error as Error).message);
  const locked = TRANSIENT.get(primaryCode(error));
  if (locked !== undefined)
    return new StoreUnavailableError(`the database ${path} is ${locked}: try again in a moment`, {
      cause: error,
    });
  return new StoreError(`cannot use the database ${path}: ${(error as Error).message}`, { cause: error });
}

const MAGIC = 'SQLite format 3\0';

/** What is wrong with a file that SQLite cannot read. To read its header releases the locks that this process has on it, which then fails anyway. */
export function damaged(path: string, how: string): DamagedFile {
  const header = Buffer.alloc(100);
  const descriptor = openSync(path, 'r');
  readSync(descriptor, header);
  const { size } = fstatSync(descriptor);
  closeSync(descriptor);
  if (header.toString('latin1', 0, MAGIC.length) !== MAGIC)
    return new DamagedFile(`${path} is not an SQLite database: name another file, or restore a backup`);
  const whole = header.readUInt32BE(28) * header.readUInt16BE(16);
  const what = size < whole ? `cut off: it has ${size} of ${whole} bytes` : `damaged (${how})`;
  return new DamagedFile(`${path} is ${what}: restore an earlier backup`);
}

const UNKNOWN = 'it is not known whether the write took effect';

/** For a commit that was started and did not complete. It has the code of SQLite, so that a command can say what happened. */
export function unknownOutcome(cause: unknown): ApiError {
  const { errcode, message } = cause as { errcode?: number; message: string };
  const reason = errcode === undefined ? '' : ` (${TRANSIENT.get(primaryCode(cause)) ?? message})`;
  const text = `The commit failed${reason}; ${UNKNOWN}. Try again in a moment.`;
  return Object.assign(new ApiError('unavailable', text, { cause }), { errcode });
}

/** For a write that was not attempted, because the file it would go to is no longer the database of this version. */
export function notWritable(problem: WriteProblem): ApiError {
  if (problem === 'upgraded') return new UpgradedMeanwhile();
  return new ApiError(
    'unavailable',
    `The database file was ${problem} while in use; nothing was written. The operator has to put the same file back; the log says more.`,
  );
}
