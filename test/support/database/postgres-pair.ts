import { cp, writeFile } from 'node:fs/promises';
import { after } from 'node:test';
import { eventually } from '../eventually.ts';
import { chownToServerUser, createCluster, type Server, serverOn } from './postgres.ts';
import { openSql, runSql, type Sql } from './sql.ts';

const REPLICATION = [
  'synchronous_standby_names=*',
  'synchronous_commit=on',
  'wal_level=replica',
  'max_wal_senders=4',
];

let pairs = 0;

export interface Pair {
  readonly primary: Server;
  readonly standby: Server;
}

/**
 * A primary and a synchronous standby, which receives every commit before it is acknowledged. `installed` is the folder of the
 * programs of another version.
 */
export async function startPair(installed?: string): Promise<Pair> {
  const primary = await createCluster(`primary-${pairs++}`, after, undefined, installed);
  const copy = `${primary.folder}-standby`;
  await cp(primary.folder, copy, { recursive: true });
  await writeFile(`${copy}/standby.signal`, '');
  await chownToServerUser(copy);
  const standby = await serverOn(copy, installed);
  await primary.start(REPLICATION);
  const settings = [
    `primary_conninfo=host=127.0.0.1 port=${primary.port} user=postgres application_name=standby`,
    'hot_standby=on',
  ];
  const start = () => standby.start(settings);
  await start();
  await until(primary, async (sql) => {
    const [row] = await sql`SELECT sync_state FROM pg_stat_replication`;
    return row?.sync_state === 'sync';
  });
  return { primary, standby: { ...standby, start } };
}

export async function promote(standby: Server): Promise<void> {
  await runSql(standby.url('postgres'), 'SELECT pg_promote()');
}

/** Resolves when the condition holds on this server. */
export async function until(server: Server, holds: (sql: Sql) => Promise<boolean>): Promise<void> {
  const sql = openSql(server.url('postgres'));
  await eventually(() => holds(sql), `a condition on port ${server.port}`);
  await sql.end();
}
