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

/**
 * Runs `work` in one transaction without time-outs, and commits it. Uses one connection, which never reconnects: when it
 * is lost before the commit, nothing of `work` is stored.
 */
export async function inLongTransaction(
  address: Address,
  work: (sql: Db) => Promise<void>,
): Promise<void> {
  const connection = await new Servers(address).connect({ statementMs: 0, lockMs: 0 });
  const { sql } = connection;
  let isLost = false;
  let isCommitting = false;
  void connection.closed.then(() => {
    isLost = true;
  });
  try {
    await inTransaction(
      sql,
      () => work(sql),
      () => {
        isCommitting = true;
      },
    );
  } catch (error) {
    if (!isLost) throw error;
    const advice = isCommitting ? ' during the commit: look whether the data is there' : ': try again';
    throw new StoreError(`the connection to the database was lost${advice}`, { cause: error });
  } finally {
    await connection.close();
  }
}
