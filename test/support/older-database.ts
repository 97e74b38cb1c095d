import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import postgres, { type Sql } from 'postgres';
import { createDatabase, type Server } from './postgres.ts';

export const MIGRATIONS = join(import.meta.dirname, '../../src/store/postgres/migrations');

/** A PostgreSQL database of an older version, with what `fill` puts into it; its URL. */
export async function olderDatabase(
  server: Server,
  version: number,
  fill: (sql: Sql) => Promise<unknown>,
): Promise<string> {
  const url = await createDatabase(server);
  const sql = postgres(url, { max: 1, onnotice: () => {}, connection: { search_path: 'animal_store' } });
  await sql`CREATE SCHEMA animal_store`;
  await sql`CREATE TABLE migrations (version integer PRIMARY KEY)`;
  for (const [i, file] of readdirSync(MIGRATIONS).sort().slice(0, version).entries()) {
    await sql.unsafe(readFileSync(join(MIGRATIONS, file), 'utf8'));
    await sql`INSERT INTO migrations (version) VALUES (${i + 1})`;
  }
  await fill(sql);
  await sql.end();
  return url;
}

/** So many animals. */
export const somePets = (count: number) => (sql: Sql) =>
  sql`
  INSERT INTO pets (name, category_id, status)
  SELECT 'Pet ' || n, 1, 'available' FROM generate_series(1, ${count}) AS n`;
