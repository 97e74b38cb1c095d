import postgres from 'postgres';
import { ApiError } from '../../contract/errors.ts';
import { printable } from '../printable.ts';
import { StoreError } from '../store.ts';

/** Temporary conditions: error classes and codes of PostgreSQL, postgres.js and the socket. */
const TEMPORARY = new RegExp(
  [
    '^(?:08|53|57P)', // connection, resources, shutdown
    '^(?:25006|40001|40P01|55P03|57014|58030)$', // read-only, conflict, lock or statement time-out, disk
    '^CONNECT', // CONNECTION_CLOSED, CONNECTION_ENDED, CONNECTION_DESTROYED, CONNECT_TIMEOUT
    '^(?:ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_)',
  ].join('|'),
);
/** No connection was made, so the statement was never sent. */
const NOT_CONNECTED = /^(?:57P03|ECONNREFUSED|ENOTFOUND|EAI_|CONNECT_TIMEOUT)/;
const READ_ONLY = '25006';

/** Whether a call only reads, or may write: after a failed write the client needs to know if it took effect. */
export type Access = 'read' | 'write';

const codeOf = (error: unknown): string => String((error as { code?: unknown }).code);

/** The error to respond with: `unavailable` if the database is at fault, otherwise the error itself. */
export function fromPostgresError(error: unknown, access: Access): Error {
  if (error instanceof ApiError || !TEMPORARY.test(codeOf(error))) return error as Error;
  if (access === 'read') return unavailable('The database cannot be reached or is busy.', error);
  if (NOT_CONNECTED.test(codeOf(error)))
    return unavailable('The database cannot be reached; nothing was written.', error);
  if (isRefusal(error))
    return unavailable('The database is busy or does not accept writes; nothing was written.', error);
  return unavailable(
    'The connection to the database failed; it is not known if the write took effect.',
    error,
  );
}

/** For a call that got no answer in time. */
export function noAnswer(access: Access): ApiError {
  const outcome = access === 'read' ? '' : '; it is not known if the write took effect';
  return unavailable(`The database does not answer${outcome}.`);
}

/** For a key that was found to be used, but expired before its result could be read. */
export const keyExpired = () => unavailable('The Idempotency-Key has just expired.');

export const unavailable = (reason: string, cause?: unknown) =>
  new ApiError('unavailable', `${reason} Try again in a moment.`, { cause });

/** Whether the server reported that it has rolled back the statement. After FATAL the outcome is unknown. */
const isRefusal = (error: unknown): boolean =>
  error instanceof postgres.PostgresError && error.severity === 'ERROR';

/** Whether the server cannot be reached or does not accept writes any more: another one may. */
export function isGone(error: unknown): boolean {
  return /^(?:25006|57P03|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_|CONNECT_TIMEOUT)/.test(
    codeOf(error),
  );
}

/** The error with which a server refuses a write. */
export function readOnlyError(): Error {
  return Object.assign(new Error('the server is read-only'), { code: READ_ONLY });
}

/** One line that says why the database cannot be used at all. */
export function cannotUse(url: string, error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const reason = ((error as Error).cause ?? error) as Error & { code?: string };
  return new StoreError(`cannot use the database ${printable(url)}: ${reason.message || reason.code}`, {
    cause: error,
  });
}
