import { StoreError, StoreUnavailableError } from '../store.ts';
import { COMMIT, type Db } from './pool/connection.ts';
import { Servers } from './pool/servers.ts';
import type { Address } from './url.ts';

/** Marks the transaction, so that a statement that belongs to it does nothing if it arrives after its end. */
export const BEGIN = "BEGIN; SET LOCAL animal_store.transaction TO 'on'";
export const IN_TRANSACTION = "current_setting('animal_store.transaction', true) = 'on'";

/** Runs `work` in a transaction on a connection that nothing else uses meanwhile, and commits it. When `work` throws, nothing is stored. */
export async function inTransaction<T>(sql: Db, work: () => Promise<T>, onCommit = () => {}): Promise<T> {
  await sql.query(BEGIN);
  try {
    const result = await work();
    onCommit();
    await sql.together([COMMIT]);
    return result;
  } catch (error) {
    await sql.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

/** Runs `work` on a connection of its own, without time-outs. It never reconnects: once it is lost, every statement fails. */
export async function onConnection<T>(
  address: Address,
  work: (sql: Db) => Promise<T>,
  isCommitting = () => false,
): Promise<T> {
  const connection = await new Servers(address).connect({ statementMs: 0, lockMs: 0 });
  let isLost = false;
  void connection.closed.then(() => {
    isLost = true;
  });
  try {
    return await work(connection);
  } catch (error) {
    throw isLost ? lost(isCommitting(), error) : error;
  } finally {
    await connection.close();
  }
}

/** What was being committed must not be tried again blindly. */
function lost(isCommitting: boolean, cause: unknown): StoreError {
  const what = 'the connection to the database was lost';
  return isCommitting
    ? new StoreError(`${what} during the commit: look whether the data is there`, { cause })
    : new StoreUnavailableError(`${what}: try again`, { cause });
}

/** Runs `work` in one transaction on a connection of its own, without time-outs. When the connection is lost before the commit, nothing is stored. */
export async function inLongTransaction<T>(address: Address, work: (sql: Db) => Promise<T>): Promise<T> {
  let isCommitting = false;
  const onCommit = () => {
    isCommitting = true;
  };
  return onConnection(
    address,
    (sql) => inTransaction(sql, () => work(sql), onCommit),
    () => isCommitting,
  );
}
