import { ApiError } from '../../contract/errors.ts';
import { UpgradedMeanwhile } from '../migrations.ts';
import { StoreError, StoreUnavailableError } from '../store.ts';
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

/** SQLITE_READONLY and CANTOPEN pass only with a change of the access rights, and the messages of SQLite do not say so. */
const NOT_WRITABLE = [8, 14];

/** SQLITE_CORRUPT and SQLITE_NOTADB. */
const DAMAGED = [11, 26];

/** Whether another connection has locked the database. */
export const isBusy = (error: unknown): boolean => primaryCode(error) === 5;

export const primaryCode = (error: unknown): number => ((error as { errcode?: number }).errcode ?? 0) & 0xff;

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
export function cannotUse(path: string, error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const code = primaryCode(error);
  const isNotWritable = NOT_WRITABLE.includes(code);
  const Kind = TRANSIENT.has(code) && !isNotWritable ? StoreUnavailableError : StoreError;
  const hint = isNotWritable
    ? ': it must be a file that this account can write, as its folder, on a disk that is not mounted read-only'
    : '';
  return new Kind(`cannot use the database ${path}: ${(error as Error).message}${hint}`, { cause: error });
}

/** For a commit that was started and did not complete. */
export function unknownOutcome(cause: unknown): ApiError {
  const reason = primaryCode(cause) === 0 ? '' : ` (${(cause as Error).message})`;
  const message = `The commit failed${reason}; it is not known whether the write took effect. Try again in a moment.`;
  return new ApiError('unavailable', message, { cause });
}

/** For a write that was not attempted, because the file it would go to is no longer the database of this version. */
export function notWritable(problem: WriteProblem): ApiError {
  if (problem === 'upgraded') return new UpgradedMeanwhile();
  return new ApiError(
    'unavailable',
    `The database file was ${problem} while in use; nothing was written. The operator has to put the same file back; the log says more.`,
  );
}
