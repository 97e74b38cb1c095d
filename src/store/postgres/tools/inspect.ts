import { printable } from '../../database-url.ts';
import { cannotUse } from '../errors.ts';
import { databaseSize } from '../inventory.ts';
import { listKeys } from '../keys.ts';
import type { Db } from '../pool/connection.ts';
import { ConnectionGroup } from '../pool/connection-group.ts';
import { MAX_CONNECTIONS } from '../pool/groups.ts';
import { contentProblems } from '../schema/content-check.ts';
import { versionOf, versionsBehind } from '../schema/migrate.ts';
import { assertRights, assertWritable, CREATE } from '../schema/rights.ts';
import { inLongTransaction, onConnection } from '../transaction.ts';
import { parseUrl } from '../url.ts';
import { toolsFor } from './pg-dump.ts';

export async function inspect(url: string) {
  const address = parseUrl(url);
  const database = new ConnectionGroup(address);
  try {
    await database.read(assertWritable);
    const version = await database.read((sql) => versionOf(sql, printable(url)));
    const isNew = version === 0;
    if (isNew) await database.read((sql) => assertRights(sql, CREATE));
    const behind = versionsBehind(version, printable(url));
    return {
      isNew,
      versionsBehind: behind,
      connections: await database.read(connectionsOf),
      dumpCommand: toolsFor(url).dump('FILE'),
      // The server itself checks its pages, and reports damage when a page is read.
      damage: [],
      // Without a time limit, because it reads everything.
      problems: behind <= 0 ? await inLongTransaction(address, contentProblems) : [],
      bytes: await database.read(databaseSize),
      clockAheadMs: await database.read(clockAheadMs),
      keys: behind <= 0 ? await database.read(listKeys) : undefined,
    };
  } catch (error) {
    throw cannotUse(url, error);
  } finally {
    await database.end();
  }
}

/** A running service keeps the connections that it has, and opens more when it needs them. The session of the doctor itself does not count. */
async function connectionsOf(sql: Db): Promise<{ free: number; needed: number }> {
  const [[free, used] = []] = await sql.query(`
    SELECT current_setting('max_connections')::int - count(*) - CASE
        WHEN current_setting('is_superuser')::bool THEN 0
        ELSE current_setting('superuser_reserved_connections')::int END,
      count(*) FILTER (WHERE datname = current_database() AND application_name = 'animal-store')
    FROM pg_stat_activity WHERE datid IS NOT NULL AND usesysid IS NOT NULL AND pid <> pg_backend_pid()`);
  return { free: Number(free), needed: MAX_CONNECTIONS - Number(used) };
}

export async function isNew(url: string): Promise<boolean> {
  try {
    return await onConnection(parseUrl(url), async (sql) => {
      await assertWritable(sql);
      return (await versionOf(sql, printable(url))) === 0;
    });
  } catch (error) {
    throw cannotUse(url, error);
  }
}

/** Compares the time of the server with the middle of the round trip. */
async function clockAheadMs(sql: Db): Promise<number> {
  const before = Date.now();
  const [row] = await sql.query('SELECT extract(epoch FROM clock_timestamp()) * 1000');
  return Number(row?.[0]) - (before + Date.now()) / 2;
}
