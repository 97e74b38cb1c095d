import { StoreError } from '../store.ts';
import type { Db } from './pool/connection.ts';
import { Servers } from './pool/servers.ts';
import type { Address } from './url.ts';

/**
 * Runs `work` in a transaction on a connection that nothing else uses meanwhile, and commits it. When `work` throws, nothing of it is stored.
 * Not the driver's `begin`, which ends the process when the connection is lost.
 */
export async function inTransaction<T>(sql: Db, work: () => Promise<T>, onCommit = () => {}): Promise<T> {
  await sql.unsafe('BEGIN');
  try {
    const result = await work();
    onCommit();
    // The server answers ROLLBACK if a statement has failed before.
    if ((await sql.unsafe('COMMIT')).command !== 'COMMIT')
      throw new StoreError('the database has rolled back: try again');
    return result;
  } catch (error) {
    await sql.unsafe('ROLLBACK').catch(() => {});
    throw error;
  }
}

/** Runs `work` on a connection of its own, without time-outs. It never reconnects: once it is lost, every statement fails. */
export async function onConnection(
  address: Address,
  work: (sql: Db) => Promise<void>,
  advice = () => ': try again',
): Promise<void> {
  const connection = await new Servers(address).connect({ statementMs: 0, lockMs: 0 });
  let isLost = false;
  void connection.closed.then(() => {
    isLost = true;
  });
  try {
    await work(connection.sql);
  } catch (error) {
    if (!isLost) throw error;
    throw new StoreError(`the connection to the database was lost${advice()}`, { cause: error });
  } finally {
    await connection.close();
  }
}

/** Runs `work` in one transaction on a connection of its own, without time-outs. When the connection is lost before the commit, nothing is stored. */
export async function inLongTransaction(address: Address, work: (sql: Db) => Promise<void>): Promise<void> {
  let isCommitting = false;
  const onCommit = () => {
    isCommitting = true;
  };
  const advice = () => (isCommitting ? ' during the commit: look whether the data is there' : ': try again');
  await onConnection(address, (sql) => inTransaction(sql, () => work(sql), onCommit), advice);
}
