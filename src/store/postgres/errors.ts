import { ApiError } from '../../contract/errors.ts';
import { printable } from '../printable.ts';
import { StoreError } from '../store.ts';

/** Conditions that pass: PostgreSQL's own classes and codes, postgres.js's and the socket's. */
const PASSING = new RegExp(
  [
    '^(?:08|53|57P)', // connection, resources, shutdown
    '^(?:25006|40001|40P01|55P03|57014|58030)$', // read-only, conflict, lock or statement time-out, disk
    '^CONNECT', // CONNECTION_CLOSED, CONNECTION_ENDED, CONNECTION_DESTROYED, CONNECT_TIMEOUT
    '^(?:ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_)',
  ].join('|'),
);
const READ_ONLY = '25006';

const codeOf = (error: unknown): string => String((error as { code?: unknown }).code);

/** The error to answer with: `unavailable` when the database is at fault, else the error itself. */
export function fromPostgresError(error: unknown): Error {
  if (error instanceof ApiError || !PASSING.test(codeOf(error))) return error as Error;
  const message =
    'The database is out of reach, busy or not writable; a write may or may not have taken effect.';
  return new ApiError('unavailable', `${message} Try again in a moment.`, { cause: error });
}

/** Whether the server is away or takes no writes (any more): another one may. */
export function isGone(error: unknown): boolean {
  return /^(?:25006|57P03|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_|CONNECT_TIMEOUT)/.test(
    codeOf(error),
  );
}

/** As the server itself refuses a write. */
export function readOnlyError(): Error {
  return Object.assign(new Error('the server is read-only'), { code: READ_ONLY });
}

/** One line on why the database cannot be used at all. */
export function cannotUse(url: string, error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const reason = ((error as Error).cause ?? error) as Error & { code?: string };
  return new StoreError(`cannot use the database ${printable(url)}: ${reason.message || reason.code}`, {
    cause: error,
  });
}
