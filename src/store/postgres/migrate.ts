import { join } from 'node:path';
import { migrationsAfter } from '../migrations.ts';
import { type Database, type Db, inTransaction } from './connection.ts';
import { fillNameKeys } from './fill-name-keys.ts';
import type { Address } from './url.ts';

const FOLDER = join(import.meta.dirname, 'migrations');
/** "ANST": the instance that holds this lock migrates, and the others wait. */
const LOCK = 0x414e5354;

/**
 * Applies the missing migrations in order, in one transaction, once, even if many instances start at the same time. All
 * tables are in the schema `animal_store`. A database that is up to date is only read, so that a role without the right
 * to change the schema can run the service. Then computes the name keys that are missing, in short transactions.
 */
export async function migrate(database: Database, address: Address, name: string): Promise<void> {
  const version = await database.read(versionOf);
  if (migrationsAfter(version, FOLDER, name).length > 0)
    await inTransaction(address, (sql) => migrateInTransaction(sql, name));
  while ((await database.write(fillNameKeys)) > 0);
}

/** How many migrations the database lacks. Changes nothing. */
export async function missingMigrations(sql: Db, name: string): Promise<number> {
  return migrationsAfter(await versionOf(sql), FOLDER, name).length;
}

/** Must run inside a transaction. Waits while another instance migrates. */
export async function migrateInTransaction(sql: Db, name: string): Promise<void> {
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
