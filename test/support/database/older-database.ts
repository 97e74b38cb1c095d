import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import postgres, { type Sql } from 'postgres';
import { inOneTransaction } from '../../../src/store/postgres/schema/migration-steps.ts';
import type { OlderRow } from './older-content.ts';
import { createDatabase, type Server } from './postgres.ts';

export const MIGRATIONS = join(import.meta.dirname, '../../../src/store/postgres/migrations');

/** The migrations after this one are those of one version of the program: a database has only some of them when its upgrade was interrupted. */
const COMPLETE = 13;

/** A PostgreSQL database of an older version, with what `fill` puts into it before an upgrade began; its URL. */
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
    const text = readFileSync(join(MIGRATIONS, file), 'utf8');
    await sql.unsafe(inOneTransaction({ version: i + 1, sql: text }));
    await sql`INSERT INTO migrations (version) VALUES (${i + 1})`;
    if (i + 1 === Math.min(version, COMPLETE)) await fill(sql);
  }
  await sql.end();
  return url;
}

/** Statements with more parameters than this are refused. */
const MOST_ROWS = 5000;

/** Inserts rows of that version, many with one statement. */
export const insertInto = (given: Iterable<OlderRow>) => async (sql: Sql) => {
  const alike = Map.groupBy(given, ([table, row]) => `${table} (${Object.keys(row).join(', ')})`);
  for (const [target, rows] of alike)
    for (let i = 0; i < rows.length; i += MOST_ROWS) {
      const values: (string | Date | null)[] = [];
      const lists = rows.slice(i, i + MOST_ROWS).map(([, row]) => {
        const places = Object.values(row).map(
          (value) => `$${values.push(typeof value === 'bigint' ? `${value}` : value)}`,
        );
        return `(${places.join(', ')})`;
      });
      await sql.unsafe(`INSERT INTO ${target} VALUES ${lists.join(', ')}`, values);
    }
};

/** So many animals. */
export const somePets = (count: number) => (sql: Sql) =>
  sql`
  INSERT INTO pets (name, category_id, status)
  SELECT 'Pet ' || n, 1, 'available' FROM generate_series(1, ${count}) AS n`;
