import type { Inspection } from '../inspection.ts';
import { printable } from '../printable.ts';
import { assertWritable, Database, type Db } from './connection.ts';
import { cannotUse } from './errors.ts';
import { listKeys } from './keys.ts';
import { missingMigrations } from './migrate.ts';
import { parseUrl } from './url.ts';

export async function inspect(url: string): Promise<Inspection> {
  let database: Database | undefined;
  try {
    database = new Database(parseUrl(url));
    const missing = await database.read((sql) => missingMigrations(sql, printable(url)));
    await database.read(assertWritable);
    const [row] = await database.read(
      (sql: Db) => sql`
        SELECT pg_database_size(current_database())::text AS bytes,
          to_regclass('animal_store.api_keys') IS NOT NULL AS has_keys`,
    );
    return {
      missingMigrations: missing,
      // The server checks its pages by itself, and reports damage when a page is read.
      damage: [],
      bytes: Number(row?.bytes),
      clockAheadMs: await database.read(clockAheadMs),
      keys: row?.has_keys ? await database.read(listKeys) : [],
    };
  } catch (error) {
    throw cannotUse(url, error);
  } finally {
    await database?.end();
  }
}

/** Compared with the middle of the time that the question took. */
async function clockAheadMs(sql: Db): Promise<number> {
  const before = Date.now();
  const [row] = await sql`SELECT extract(epoch FROM clock_timestamp()) * 1000 AS ms`;
  return Number(row?.ms) - (before + Date.now()) / 2;
}
