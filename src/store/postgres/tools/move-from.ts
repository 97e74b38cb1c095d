import { setTimeout as sleep } from 'node:timers/promises';
import { printable } from '../../database-url.ts';
import { noStoreIn } from '../../migrations.ts';
import { StoreError } from '../../store.ts';
import { RESOURCES } from '../../tables.ts';
import { COUNT_ROWS, countsIn, type Dump, type DumpChunk, TABLES, tableOfItems } from '../../tools/dump.ts';
import { cannotUse } from '../errors.ts';
import type { Db } from '../pool/connection.ts';
import { migrateStepByStep, versionOf } from '../schema/migrate.ts';
import { assertRights, MOVE_FROM } from '../schema/rights.ts';
import { chunksOf, defineTable } from '../table.ts';
import { inLongTransaction, onConnection } from '../transaction.ts';
import { parseUrl } from '../url.ts';

/** A running service asks for changed keys twice a second, so a session that is idle for longer than this does not belong to one. */
const IDLE_MS = 3000;
const POLL_MS = 100;
/** How long to wait for transactions of other sessions, such as one that was left open in psql. */
const LOCK_MS = 10_000;

/**
 * Calls `receive` with everything in the database. Until it has ended, no session can write to it, so that nothing is written to the old store
 * after it was copied; refuses a database that a service or a command is connected to.
 */
export async function readDump<T>(url: string, receive: (dump: Dump) => Promise<T>): Promise<T> {
  try {
    const address = parseUrl(url);
    await onConnection(address, (sql) => prepare(sql, printable(url)));
    return await inLongTransaction(address, async (sql) => {
      await lockTables(sql, 'SHARE');
      const [row] = await sql.objects<object>(COUNT_ROWS);
      return receive({ counts: countsIn({ ...row }), chunks: readChunks(sql, url) });
    });
  } catch (error) {
    throw cannotUse(url, error);
  }
}

async function prepare(sql: Db, name: string): Promise<void> {
  await assertRights(sql, MOVE_FROM);
  if ((await versionOf(sql, name)) === 0) throw noStoreIn(name);
  await assertNotInUse(sql, name);
  await migrateStepByStep(sql, name, { ahead: 0 });
}

/** Waits for sessions of services that have just stopped, or that a connection pooler keeps: they end or become idle. */
export async function assertNotInUse(sql: Db, name: string): Promise<void> {
  const deadline = performance.now() + 2 * IDLE_MS;
  for (;;) {
    // In a transaction, the sessions would stay as they were at first.
    await sql.query('SELECT pg_stat_clear_snapshot()');
    // What a role may not see of another role's session is NULL.
    const [used] = await sql.query(`
      SELECT 1 FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'animal-store' AND pid <> pg_backend_pid()
        AND (state IS DISTINCT FROM 'idle' OR state_change > clock_timestamp() - interval '${IDLE_MS} milliseconds')`);
    if (!used) return;
    if (performance.now() > deadline)
      throw new StoreError(`the database ${name} is in use: stop every instance of the service, then move`);
    await sleep(POLL_MS);
  }
}

/** Locks all tables of a dump until the end of the transaction: `SHARE` against writes, `EXCLUSIVE` also against another move. */
export async function lockTables(sql: Db, mode: 'SHARE' | 'EXCLUSIVE'): Promise<void> {
  await sql.query(
    `SET LOCAL lock_timeout = ${LOCK_MS}; LOCK TABLE ${TABLES.join(', ')} IN ${mode} MODE; SET LOCAL lock_timeout = 0`,
  );
}

/** Errors name this database, not the one that receives the chunks. */
export async function* readChunks(sql: Db, url: string): AsyncGenerator<DumpChunk, void, undefined> {
  try {
    for (const resource of RESOURCES) {
      const { select, fromRow } = defineTable(tableOfItems(resource));
      for await (const rows of chunksOf(sql, `${select} ORDER BY 1`))
        yield { resource, items: rows.map(fromRow) };
    }
  } catch (error) {
    throw cannotUse(url, error);
  }
}
