import { StoreError } from '../store.ts';
import type { Db } from './pool/connection.ts';
import { Servers } from './pool/servers.ts';
import type { Address } from './url.ts';

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

/** Runs `work` in one transaction without time-outs, and commits it. When the connection is lost before, nothing is stored. */
export async function inTransaction(address: Address, work: (sql: Db) => Promise<void>): Promise<void> {
  let isCommitting = false;
  const advice = () => (isCommitting ? ' during the commit: look whether the data is there' : ': try again');
  const workAndCommit = async (sql: Db) => {
    await sql`BEGIN`;
    await work(sql);
    isCommitting = true;
    await commit(sql);
  };
  await onConnection(address, workAndCommit, advice);
}

/** Not by the driver's `begin`, which ends the process when the connection is lost. */
export async function commit(sql: Db): Promise<void> {
  // The server answers ROLLBACK if a statement has failed before.
  if ((await sql`COMMIT`).command !== 'COMMIT')
    throw new StoreError('the database has rolled back: try again');
}
