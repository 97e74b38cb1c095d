import { DatabaseError } from 'pg';
import { ApiError } from '../../contract/errors.ts';
import { printable } from '../database-url.ts';
import { StoreError, StoreUnavailableError } from '../store.ts';

/** Conditions that are not the fault of a request: error classes and codes of PostgreSQL and the socket, and our own. */
const UNAVAILABLE = new RegExp(
  [
    '^(?:08|53|57P)', // connection, resources, shutdown
    '^(?:2200H|25006|25P02|26000|40001|40P01|42501|55P03|57014|58030)$', // no more ids, read-only, left in a failed transaction, lost plan, conflict, rights, lock or statement time-out, disk
    '^CONNECT', // CONNECTION_CLOSED, CONNECT_TIMEOUT, CONNECTIONS_BUSY
    '^(?:ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_)',
  ].join('|'),
);
/** What may pass while the service starts: unreachable, name not found, starting up, standby, too many connections, busy, locked. */
const TRANSIENT =
  /^(?:08|25006|40|53|55P03|57|unavailable|CONNECT|ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_)/;
/** What the socket says when no server was reached. */
const UNREACHABLE = /^(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_|CONNECT_TIMEOUT)/;
/** For a URL. */
export const ENCODED =
  'reserved characters of the password are percent-encoded: ? is %3F, @ is %40, : is %3A, / is %2F, # is %23, % is %25';
/** What to do, where the reason alone does not say it. */
const REMEDIES: readonly (readonly [code: RegExp, remedy: string])[] = [
  [/^CONNECT_TIMEOUT/, 'check that PostgreSQL is not paused, and that no firewall drops what is sent to it'],
  [UNREACHABLE, 'start PostgreSQL, or correct its host and port'],
  [/^(?:CONNECTION_|ECONNRESET|EPIPE|ETIMEDOUT)/, 'check that PostgreSQL runs there, and try again'],
  [/^(?:53300|57P03)/, 'try again in a moment'],
  [/^25006/, 'name the primary, or try again when it accepts writes'],
  [/^28P01/, `correct the user or the password; in a URL, ${ENCODED}`],
  [/^42501/, 'start this version once as the role that owns the tables'],
  [/^TLS_REFUSED/, 'turn TLS on in the server; with sslmode=prefer, the connection need not be encrypted'],
  [/CERT|SIGNATURE/, 'name its authority in sslrootcert, and the server as its certificate does'],
  [/^3D000/, 'create it, or correct its name'],
  [/^55P03/, 'end the session that has locked it, or wait for it'],
];
const CANNOT_BE_USED =
  'The database cannot be used as it is. The operator learns more from animal-store doctor.';
/** A table or column of ours is missing: the database was changed by hand. Waiting does not help. */
const CHANGED_BY_HAND = /^(?:3F000|42703|42883|42P01)$/;
/** No connection was made, so the statement was never sent: the server was not reached, or is starting up. */
const NOT_CONNECTED = new RegExp(`${UNREACHABLE.source}|^57P03`);
const READ_ONLY = '25006';
/** Refusals that every row of a batch would get: read-only, rights, full disk, too many connections, failing disk. */
const CONCERNS_EVERY_ROW = /^(?:25006|42501|53[134]|58)/;

/** Whether a call only reads, or may write: after a failed write the client needs to know if it took effect. */
export type Access = 'read' | 'write';

const codeOf = (error: unknown): string => String((error as { code?: unknown } | undefined)?.code);

/** The error to respond with: `unavailable` if the database is at fault, otherwise the error itself. */
export function fromPostgresError(error: unknown, access: Access): Error {
  if (error instanceof NotSent) return notSent(error.cause, access);
  if (error instanceof StoreError || CHANGED_BY_HAND.test(codeOf(error)))
    return new ApiError('unavailable', CANNOT_BE_USED, { cause: error });
  if (error instanceof ApiError || !UNAVAILABLE.test(codeOf(error))) return error as Error;
  if (access === 'read') return unavailable('The database cannot be reached or is busy.', error);
  if (isRefusal(error))
    return unavailable('The database is busy or does not accept writes; nothing was written.', error);
  return unavailable(
    'The connection to the database failed; it is not known if the write took effect.',
    error,
  );
}

/** Why a call could not be given to any connection. */
export class NotSent extends Error {
  constructor(cause: unknown) {
    super('no connection', { cause });
  }
}

function notSent(cause: unknown, access: Access): Error {
  if (access === 'read') return unavailable('The database cannot be reached or is busy.', cause);
  const reason = NOT_CONNECTED.test(codeOf(cause)) ? 'cannot be reached' : 'is busy or cannot be used';
  return unavailable(`The database ${reason}; nothing was written.`, cause);
}

export function noAnswer(access: Access): ApiError {
  const outcome = access === 'read' ? '' : '; it is not known if the write took effect';
  return unavailable(`The database does not answer${outcome}.`);
}

export const unavailable = (reason: string, cause?: unknown) =>
  new ApiError('unavailable', `${reason} Try again in a moment.`, { cause });

/** Whether the server answered at all, if only with an error. */
export const isAnswer = (error: unknown): boolean => error instanceof DatabaseError;

/** The errors of the server after which the session went on, and the statements that have failed. */
const refused = new WeakMap<Error, string>();
export const markRefused = (statement: string, error: Error): void => void refused.set(error, statement);

/** Whether the server has rolled back the statement. After an error that ends the session, the outcome is unknown. */
const isRefusal = (error: unknown): boolean => refused.has(error as Error);

/** What the server or the socket said about a failed call. */
const reasonOf = (error: unknown): unknown =>
  error instanceof ApiError || error instanceof NotSent ? error.cause : error;

/** Whether a statement of a call gave up waiting for a lock: any one, or one that contains this text. */
export function isLocked(error: unknown, statement = ''): boolean {
  const reason = reasonOf(error);
  return codeOf(reason) === '55P03' && refused.get(reason as Error)?.includes(statement) === true;
}

/** Whether a batch was rolled back for a reason that need not concern all of its rows. */
export function mayBeOneRow(error: unknown): boolean {
  const reason = reasonOf(error);
  return isRefusal(reason) && !CONCERNS_EVERY_ROW.test(codeOf(reason));
}

/** Whether what was rolled back may succeed if it is tried again: a conflict with another transaction, not a refusal. */
export const isConflict = (error: unknown): boolean =>
  /^(?:23505|25P02|40001|40P01|55P03)$/.test(codeOf(reasonOf(error)));

/** Whether the server has no TLS, or a rule in its pg_hba.conf rejects the client. */
export const isRefusedWithTls = (error: unknown): boolean => /^(?:TLS_REFUSED|28000)$/.test(codeOf(error));

/** Whether a statement gave up waiting for a lock, or was ended to resolve a deadlock. */
export const isLockedOrBusy = (error: unknown): boolean => /^(?:55P03|40P01)$/.test(codeOf(error));

/**
 * Whether the plan of a prepared statement is gone (DEALLOCATE ALL), or a column that was added to a table changes its result. Nothing was done,
 * and a statement that is prepared again succeeds.
 */
export const isLostPlan = (error: unknown): boolean => /^(?:26000|0A000)$/.test(codeOf(error));

/** For a COMMIT with a warning: the wait for the standby was cancelled. */
export const notReplicated = (): ApiError =>
  unavailable('It is not known if a standby has the write, nor if it will last.');

/** Whether the statement came in the middle of a transaction that has failed: that says nothing about the connection. */
export const isFailedTransaction = (error: unknown): boolean => codeOf(error) === '25P02';

export const isForbidden = (error: unknown): boolean => codeOf(error) === '42501';

export const isReadOnly = (error: unknown): boolean => codeOf(error) === READ_ONLY;

const coded = (code: string, message: string, cause?: unknown): Error =>
  Object.assign(new Error(message, { cause }), { code });

/** For a server that the service must not use because it is not the primary. */
export const standbyError = (message: string) => coded(READ_ONLY, message);
export const connectionClosed = (cause: Error) =>
  coded('CONNECTION_CLOSED', 'the connection was closed', cause);
export const tlsRefused = (cause: Error) => coded('TLS_REFUSED', 'the server does not support TLS', cause);
export const connectionTimeout = () => coded('CONNECT_TIMEOUT', 'the server does not answer');
/** The server answers COMMIT with ROLLBACK if a statement has failed before. */
export const rolledBack = () => coded('25P02', 'the transaction was rolled back');
export const connectionsBusy = () =>
  coded('CONNECTIONS_BUSY', 'every connection waits for the server to answer');

/** What failed is the file that a command reads or writes, not the database. */
export class FileError extends Error {
  constructor(cause: unknown) {
    super('the file failed', { cause });
  }
}

/** One line that says why the database cannot be used at all; or the error of the file, as it is. */
export function cannotUse(url: string, error: unknown): Error {
  if (error instanceof FileError) return error.cause as Error;
  const reason = (reasonOf(error) ?? error) as Error & { code?: string };
  for (const known of [error, reason]) if (known instanceof StoreError) return known;
  // With a full disk, PostgreSQL cannot even begin a session, and says so without the code for it.
  const isTransient = TRANSIENT.test(codeOf(reason)) || reason.message.includes('could not write init file');
  const Kind = isTransient ? StoreUnavailableError : StoreError;
  const [, remedy] = REMEDIES.find(([code]) => code.test(codeOf(reason))) ?? [];
  // Node adds an advice to what OpenSSL says, which would come before ours.
  const said = reason.message.replace(/; if the root CA .*/, '') || reason.code;
  const parts = [`cannot use the database ${printable(url)}`, said, remedy];
  return new Kind(parts.filter(Boolean).join(': '), { cause: error });
}
