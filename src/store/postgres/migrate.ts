import { join } from 'node:path';
import { migrationsAfter } from '../migrations.ts';
import { type Database, type Db, inTransaction } from './connection.ts';
import type { Address } from './url.ts';

const FOLDER = join(import.meta.dirname, 'migrations');
/** "ANST": who holds this lock migrates, and the others wait. */
const LOCK = 0x414e5354;

/**
 * Brings the schema up to date: what is missing of `migrations/`, in order, in one transaction, once, however many
 * instances start together. Everything of ours is in the schema `animal_store`; a database that is up to date is only
 * read, so that a user without the right to change it can start the service.
 */
export async function migrate(database: Database, address: Address, name: string): Promise<void> {
  const version = await database.run(versionOf);
  if (migrationsAfter(version, FOLDER, name).length > 0)
    await inTransaction(address, (sql) => migrateAlone(sql, name));
}

/** What is missing, inside a transaction; waits while another instance does the same. */
export async function migrateAlone(sql: Db, name: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${LOCK})`;
  await sql`CREATE SCHEMA IF NOT EXISTS animal_store`;
  await sql`CREATE TABLE IF NOT EXISTS animal_store.migrations (version integer PRIMARY KEY)`;
  for (const migration of migrationsAfter(await versionOf(sql), FOLDER, name)) {
    await sql.unsafe(migration.sql);
    await sql`INSERT INTO animal_store.migrations (version) VALUES (${migration.version})`;
  }
}

async function versionOf(sql: Db): Promise<number> {
  const [found] = await sql`SELECT to_regclass('animal_store.migrations') IS NOT NULL AS exists`;
  if (!found?.exists) return 0;
  const [row] = await sql`SELECT coalesce(max(version), 0) AS version FROM animal_store.migrations`;
  return row?.version;
}
