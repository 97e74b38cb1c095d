import { StoreError } from '../store.ts';
import type { Db } from './pool/connection.ts';
import { Servers } from './pool/servers.ts';
import type { Address } from './url.ts';

/**
 * Runs `work` in one transaction without time-outs, and commits it. Uses one connection, which never reconnects: when it
 * is lost before the commit, nothing of `work` is stored.
 */
export async function inTransaction(address: Address, work: (sql: Db) => Promise<void>): Promise<void> {
  const connection = await new Servers(address).connect({ statementMs: 0, lockMs: 0 });
  const { sql } = connection;
  let isLost = false;
  let isCommitting = false;
  void connection.closed.then(() => {
    isLost = true;
  });
  try {
    // Not the driver's `begin`, which ends the process when the connection is lost.
    await sql`BEGIN`;
    await work(sql);
    isCommitting = true;
    // The server answers ROLLBACK if a statement has failed before.
    if ((await sql`COMMIT`).command !== 'COMMIT')
      throw new StoreError('the database has rolled back: try again');
  } catch (error) {
    if (!isLost) throw error;
    const advice = isCommitting ? ' during the commit: look whether the data is there' : ': try again';
    throw new StoreError(`the connection to the database was lost${advice}`, { cause: error });
  } finally {
    await connection.close();
  }
}
