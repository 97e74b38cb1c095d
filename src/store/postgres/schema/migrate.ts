import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type MigrateOptions, migrationsAfter, newestVersion, notUpgraded } from '../../migrations.ts';
import type { Db } from '../pool/connection.ts';
import type { ConnectionGroup } from '../pool/connection-group.ts';
import { inLongTransaction, onConnection } from '../transaction.ts';
import type { Address } from '../url.ts';
import { inOneTransaction, recordVersion, runSteps } from './migration-steps.ts';

const FOLDER = join(import.meta.dirname, '../migrations');
/** "ANST": the session that holds this lock migrates, and the others wait. */
const LOCK = 0x414e5354;
const LOCK_POLL_MS = 100;

/**
 * Applies the missing migrations in order, once, even if many instances start at the same time: to a new database in one transaction, and to one
 * that is in use each in its own. All tables are in the schema `animal_store`. A database that is up to date is only read, so that a role
 * without the right to change the schema can run the service.
 */
export async function migrate(
  database: ConnectionGroup,
  address: Address,
  name: string,
  { upgrade = false, folder = FOLDER, onMigration }: MigrateOptions = {},
): Promise<void> {
  const version = await database.read(versionOf);
  const { length } = migrationsAfter(version, folder, name);
  if (length > 0 && version > 0 && !upgrade) throw notUpgraded(name);
  if (length > 0 && version === 0)
    await inLongTransaction(address, (sql) => migrateInTransaction(sql, name, folder));
  else if (length > 0)
    await onConnection(address, (sql) => migrateStepByStep(sql, name, { folder, onMigration }));
}

/** Does not wait inside a statement: an index that is built concurrently would in turn wait for that statement. */
async function lockMigrations(sql: Db): Promise<void> {
  const tryLock = () => sql`SELECT pg_try_advisory_lock(${LOCK}) AS locked`;
  while (!(await tryLock())[0]?.locked) await sleep(LOCK_POLL_MS);
}

/** Brings a database that is in use up to date. Waits while another instance migrates. Must run outside a transaction. */
export async function migrateStepByStep(
  sql: Db,
  name: string,
  { folder = FOLDER, onMigration }: MigrateOptions = {},
): Promise<void> {
  await lockMigrations(sql);
  await runSteps(sql, migrationsAfter(await versionOf(sql), folder, name), name, onMigration);
}

/** Must run inside a transaction. Waits while another instance migrates. */
export async function migrateInTransaction(sql: Db, name: string, folder = FOLDER): Promise<void> {
  await lockMigrations(sql);
  const missing = migrationsAfter(await versionOf(sql), folder, name);
  await sql`CREATE SCHEMA IF NOT EXISTS animal_store`;
  await sql`CREATE TABLE IF NOT EXISTS animal_store.migrations (version integer PRIMARY KEY)`;
  for (const migration of missing) {
    await sql.unsafe(inOneTransaction(migration));
    await recordVersion(sql, migration);
  }
}

/** The version of the schema that this program makes. */
export const programVersion = (): number => newestVersion(FOLDER);

/** How many migrations the database lacks. Changes nothing. */
export async function missingMigrations(sql: Db, name: string): Promise<number> {
  return migrationsAfter(await versionOf(sql), FOLDER, name).length;
}

/** 0 for a database without the schema. */
export async function versionOf(sql: Db): Promise<number> {
  const [found] = await sql`SELECT to_regclass('animal_store.migrations') IS NOT NULL AS exists`;
  if (!found?.exists) return 0;
  const [row] = await sql`SELECT coalesce(max(version), 0) AS version FROM animal_store.migrations`;
  return row?.version;
}
