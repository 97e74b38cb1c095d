import { ApiError } from '../../contract/errors.ts';

/** SQLite's primary result codes for a database that cannot serve now, but may later. */
const PASSING = new Map([
  [5, 'locked by another process'],
  [6, 'locked'],
  [8, 'read-only'],
  [10, 'failing to read or write its disk'],
  [13, 'full'],
  [14, 'out of reach'],
  [15, 'locked by another process'],
]);

/** The error to answer with: `unavailable` when the database is at fault, else the error itself. */
export function fromSqliteError(error: unknown): Error {
  if (error instanceof ApiError) return error;
  const code = (error as { errcode?: number }).errcode;
  const reason = code === undefined ? undefined : PASSING.get(code & 0xff);
  if (reason === undefined) return error as Error;
  return new ApiError('unavailable', `The database is ${reason}. Try again in a moment.`, { cause: error });
}

/** For a commit that was begun and came to no end. */
export function unknownOutcome(cause: unknown): ApiError {
  const message = 'The commit failed; it is not known whether the write took effect. Try again in a moment.';
  return new ApiError('unavailable', message, { cause });
}
