import { printable } from '../../database-url.ts';
import { cannotUse } from '../errors.ts';
import { databaseSize } from '../inventory.ts';
import { listKeys } from '../keys.ts';
import type { Db } from '../pool/connection.ts';
import { ConnectionGroup } from '../pool/connection-group.ts';
import { contentProblems } from '../schema/content-check.ts';
import { versionOf, versionsBehind } from '../schema/migrate.ts';
import { assertWritable } from '../schema/rights.ts';
import { inLongTransaction, onConnection } from '../transaction.ts';
import { parseUrl } from '../url.ts';
import { toolsFor } from './pg-dump.ts';

export async function inspect(url: string) {
  const address = parseUrl(url);
  const database = new ConnectionGroup(address);
  try {
    const behind = await database.read((sql) => versionsBehind(sql, printable(url)));
    await database.read(assertWritable);
    return {
      isNew: (await database.read(versionOf)) === 0,
      versionsBehind: behind,
      dumpCommand: toolsFor(url).dump('FILE'),
      // The server itself checks its pages, and reports damage when a page is read.
      damage: [],
      // Without a time limit, because it reads everything.
      problems: behind === 0 ? await inLongTransaction(address, contentProblems) : [],
      bytes: await database.read(databaseSize),
      clockAheadMs: await database.read(clockAheadMs),
      keys: behind === 0 ? await database.read(listKeys) : undefined,
    };
  } catch (error) {
    throw cannotUse(url, error);
  } finally {
    await database.end();
  }
}

export async function isNew(url: string): Promise<boolean> {
  try {
    return (await onConnection(parseUrl(url), versionOf)) === 0;
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
