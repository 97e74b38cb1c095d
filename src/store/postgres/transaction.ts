import { StoreError } from '../store.ts';
import type { Db } from './connection.ts';
import { Servers } from './servers.ts';
import type { Address } from './url.ts';

/**
 * Runs `work` in one transaction without time-outs, and commits it. Uses one connection, which never reconnects: when it
 * is lost, nothing of `work` is committed.
 */
export async function inTransaction(address: Address, work: (sql: Db) => Promise<void>): Promise<void> {
  const connection = await new Servers(address).connect({ statementMs: 0, lockMs: 0 });
  const { sql } = connection;
  let isLost = false;
  void connection.closed.then(() => {
    isLost = true;
  });
  try {
    // Not the driver's `begin`, which ends the process when the connection is lost.
    await sql`BEGIN`;
    await work(sql);
    // The server answers ROLLBACK if a statement has failed before.
    if ((await sql`COMMIT`).command !== 'COMMIT')
      throw new StoreError('the database has rolled back: try again');
  } catch (error) {
    throw isLost
      ? new StoreError('the connection to the database was lost: try again', { cause: error })
      : error;
  } finally {
    await connection.close();
  }
}
