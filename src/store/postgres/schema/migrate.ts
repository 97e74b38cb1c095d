import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type MigrateOptions,
  type Migration,
  migrationLine,
  migrationsAfter,
  newestVersion,
  noStoreIn,
  notUpgraded,
  VERSIONS_AHEAD,
} from '../../migrations.ts';
import { StoreError } from '../../store.ts';
import { isLockedOrBusy } from '../errors.ts';
import type { Db } from '../pool/connection.ts';
import type { ConnectionGroup } from '../pool/connection-group.ts';
import { END_IF_SUSPENDED, inLongTransaction, inTransaction, onConnection } from '../transaction.ts';
import type { Address } from '../url.ts';
import { LOCK_MIGRATION } from '../writer/locks.ts';
import { assertRights, CREATE } from './rights.ts';

const FOLDER = join(import.meta.dirname, '../migrations');
/** "ANST": the session that holds this lock migrates, and the others wait. */
const LOCK = 0x414e5354;
/** How long a step waits for the writes in progress. No reader waits meanwhile, and a write is tried again for as long. */
const WRITES_MS = 2000;
/**
 * How long a step then waits for a lock on a table. Every reader that arrives meanwhile waits as well, because PostgreSQL serves locks in the order
 * of their requests.
 */
const LOCK_MS = 200;
/** Between two attempts, readers and writers go on. */
const PAUSE_MS = 800;
/** How often a person is told what a step waits for. */
const REPORT_MS = 10_000;
const SLOW_MS = 1000;

/**
 * Applies the missing migrations in order, once, even if many instances start at the same time: to a new database in one transaction, and to one
 * that is in use each in its own. All tables are in the schema `animal_store`. A database that is up to date is only read, so that a role
 * without the right to change the schema can run the service.
 */
export async function migrate(
  database: ConnectionGroup,
  address: Address,
  name: string,
  { upgrade = false, folder = FOLDER, onMigration, mustExist }: MigrateOptions = {},
): Promise<void> {
  const version = await database.read((sql) => versionOf(sql, name));
  if (version === 0 && mustExist) throw noStoreIn(name);
  if (migrationsAfter(version, folder, name).length === 0) return;
  if (version === 0) return inLongTransaction(address, (sql) => migrateInTransaction(sql, name, folder));
  if (!upgrade) throw notUpgraded(name);
  await onConnection(address, (sql) => migrateStepByStep(sql, name, { folder, onMigration }));
}

const lockMigrations = (sql: Db) => sql.query(`SELECT pg_advisory_lock(${LOCK})`);

/**
 * Brings a database that is in use up to date, each step in its own transaction, so that none holds the locks of another. Waits while another
 * instance migrates. Must run outside a transaction.
 */
export async function migrateStepByStep(
  sql: Db,
  name: string,
  { folder = FOLDER, onMigration = () => {}, ahead }: MigrateOptions = {},
): Promise<void> {
  await lockMigrations(sql);
  const steps = migrationsAfter(await versionOf(sql, name), folder, name, ahead);
  for (const [i, step] of steps.entries()) {
    const line = migrationLine(name, i + 1, steps.length);
    const timer = setTimeout(() => onMigration(line), SLOW_MS);
    const report = (reason: string) => {
      clearTimeout(timer);
      onMigration(`${line} ${reason}`);
    };
    await runUntilLocked(sql, step, report).finally(() => clearTimeout(timer));
  }
}

/** While another session, such as an export, uses the tables, tries again and again. */
async function runUntilLocked(sql: Db, step: Migration, report: (reason: string) => void): Promise<void> {
  for (let reportAt = performance.now(); ; await sleep(PAUSE_MS)) {
    try {
      return await inTransaction(sql, async () => {
        await sql.query(
          `SET LOCAL lock_timeout = ${WRITES_MS}; ${END_IF_SUSPENDED}; ${LOCK_MIGRATION}; SET LOCAL lock_timeout = ${LOCK_MS}`,
        );
        await apply(sql, step);
      });
    } catch (error) {
      if (!isLockedOrBusy(error)) throw error;
    }
    if (performance.now() < reportAt) continue;
    reportAt = performance.now() + REPORT_MS;
    report(`It waits for ${await longestTransaction(sql)}.`);
  }
}

async function apply(sql: Db, { sql: statements, version }: Migration): Promise<void> {
  await sql.query(statements);
  // Every write has read the version in its transaction, and is committed before this lock is granted, or refused afterwards.
  await sql.query('LOCK TABLE animal_store.migrations IN ACCESS EXCLUSIVE MODE');
  await sql.query(`INSERT INTO animal_store.migrations (version) VALUES (${version})`);
}

const LONGEST = `
  SELECT pid, coalesce(nullif(application_name, ''), usename) AS program, floor(extract(epoch FROM now() - xact_start))::int AS seconds
  FROM pg_stat_activity
  WHERE pid <> pg_backend_pid() AND pid IN (
    SELECT pid FROM pg_locks JOIN pg_class ON pg_class.oid = relation
    WHERE granted AND relnamespace = 'animal_store'::regnamespace)
  ORDER BY xact_start LIMIT 1`;

/** Describes the session that has used the tables for longest, so that a person can find it. */
async function longestTransaction(sql: Db): Promise<string> {
  const [found] = await sql.objects<{ pid: number; program: string; seconds: number }>(LONGEST);
  if (!found) return 'other sessions that use the tables';
  const { pid, program, seconds } = found;
  return `a transaction of ${program} (process ${pid} of the server), which has been open for ${seconds} s`;
}

/** Must run inside a transaction. Waits while another instance migrates. */
export async function migrateInTransaction(sql: Db, name: string, folder = FOLDER): Promise<void> {
  await lockMigrations(sql);
  const version = await versionOf(sql, name);
  if (version === 0) {
    await assertRights(sql, CREATE);
    await sql.query(`CREATE SCHEMA IF NOT EXISTS animal_store;
      CREATE TABLE animal_store.migrations (version integer PRIMARY KEY)`);
  }
  for (const migration of migrationsAfter(version, folder, name)) await apply(sql, migration);
}

/** The version of the schema that this program makes, and the newest on which it works. */
export const PROGRAM_VERSION: number = newestVersion(FOLDER);
export const NEWEST_VERSION: number = PROGRAM_VERSION + VERSIONS_AHEAD;

/** By how many versions the next start of the service upgrades a database of this version. Refuses what `migrate` refuses. */
export function versionsBehind(version: number, name: string): number {
  migrationsAfter(version, FOLDER, name);
  return PROGRAM_VERSION - version;
}

/** Whether a version that this one cannot run beside has upgraded the database: writes of this one would lack what that version relies on. */
export async function isUpgraded(sql: Db): Promise<boolean> {
  const [row] = await sql.query('SELECT max(version) FROM migrations', []);
  return Number(row?.[0]) > NEWEST_VERSION;
}

/** 0 for a database without a store. */
export async function versionOf(sql: Db, name: string): Promise<number> {
  const [[table, pets] = []] = await sql.query(
    "SELECT to_regclass('animal_store.migrations'), to_regclass('animal_store.pets')",
    [],
  );
  if (!table && !pets) return 0;
  const [[version] = []] = table
    ? await sql.query('SELECT max(version) FROM animal_store.migrations', [])
    : [];
  if (version != null) return Number(version);
  throw new StoreError(
    `the database ${name} has a store, but the table animal_store.migrations ${table ? 'has lost its rows' : 'is missing'}: restore that table from a backup`,
  );
}
