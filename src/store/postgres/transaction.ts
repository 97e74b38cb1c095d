import { StoreError, StoreUnavailableError } from '../store.ts';
import { cannotUse, FileError } from './errors.ts';
import { COMMIT, type Db } from './pool/connection.ts';
import { Servers } from './pool/servers.ts';
import { type Address, parseUrl } from './url.ts';

/** For a command that reads: a table that another session has locked ends it. */
export const LIMIT_WAITS = "SET LOCAL lock_timeout TO '30s'";

/** Marks the transaction, so that a statement that belongs to it does nothing if it arrives after its end. */
export const BEGIN = "BEGIN; SET LOCAL animal_store.transaction TO 'on'";
export const IN_TRANSACTION = "current_setting('animal_store.transaction', true) = 'on'";

const SUSPENDED_MS = 5000;
/**
 * For a transaction of a command that holds locks which reads or writes of the service need: the server ends the session if this process sends or
 * reads nothing for a while, because it was suspended or its machine sleeps.
 */
export const END_IF_SUSPENDED = `
  SET LOCAL idle_in_transaction_session_timeout = ${SUSPENDED_MS}; SET LOCAL tcp_user_timeout = ${SUSPENDED_MS}`;

/**
 * Runs `work` in a transaction on a connection that nothing else uses meanwhile, and commits it. When `work` throws, nothing is stored. `last` is sent
 * together with the COMMIT, so that a process that is suspended cannot keep what it locks.
 */
export async function inTransaction<T>(
  sql: Db,
  work: () => Promise<T>,
  onCommit = () => {},
  last: readonly string[] = [],
): Promise<T> {
  await sql.query(BEGIN);
  try {
    const result = await work();
    // Fails if the session is lost already: then it is certain that nothing was stored.
    await sql.query('SELECT 1');
    onCommit();
    await sql.together([...last.map((text) => ({ text })), COMMIT]);
    return result;
  } catch (error) {
    await sql.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

/**
 * Runs `work` on a connection of its own, without time-outs. It never reconnects: once it is lost, every statement fails. `work` calls `onCommit`
 * when its commit begins.
 */
export async function onConnection<T>(
  address: Address,
  work: (sql: Db, onCommit: () => void) => Promise<T>,
): Promise<T> {
  const connection = await new Servers(address).connect({ statementMs: 0, lockMs: 0 });
  let isLost = false;
  let isCommitting = false;
  void connection.closed.then(() => {
    isLost = true;
  });
  try {
    return await work(connection, () => {
      isCommitting = true;
    });
  } catch (error) {
    throw isLost && !(error instanceof FileError) ? lost(isCommitting, error) : error;
  } finally {
    await connection.close();
  }
}

/** What was being committed must not be tried again blindly. */
function lost(isCommitting: boolean, cause: unknown): StoreError {
  const what = 'the connection to the database was lost';
  if (isCommitting)
    return new StoreError(`${what} during the commit: look whether the data is there`, { cause });
  const advice = 'try again. Nothing was stored. A command that is suspended loses its connection';
  return new StoreUnavailableError(`${what}: ${advice}`, { cause });
}

/** Runs `inTransaction` on a connection of its own, without time-outs. When the connection is lost before the commit, nothing is stored. */
export const inLongTransaction = <T>(
  address: Address,
  work: (sql: Db) => Promise<T>,
  last: readonly string[] = [],
): Promise<T> =>
  onConnection(address, (sql, onCommit) => inTransaction(sql, () => work(sql), onCommit, last));

/** The same for a command, on the database of a URL. Rejects with one line that says why it cannot be used. */
export async function inDatabase<T>(
  url: string,
  work: (sql: Db) => Promise<T>,
  last?: readonly string[],
): Promise<T> {
  try {
    return await inLongTransaction(parseUrl(url), work, last);
  } catch (error) {
    throw cannotUse(url, error);
  }
}
