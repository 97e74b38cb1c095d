import { setTimeout as sleep } from 'node:timers/promises';
import { type Migration, migrationLine, type OnMigration } from '../../migrations.ts';
import { isLockedOrBusy } from '../errors.ts';
import type { Db } from '../pool/connection.ts';
import { inTransaction } from '../transaction.ts';

/**
 * How long a step waits for a lock on a table. Every reader that arrives meanwhile waits as well, because PostgreSQL serves locks in the order
 * of their requests.
 */
const LOCK_MS = 200;
/** Between two attempts, readers and writers go on. */
const PAUSE_MS = 800;
/** How often a person is told what a step waits for. */
const REPORT_MS = 10_000;
const SLOW_MS = 1000;

/** A step whose statements cannot be in a transaction, because they block no other session: see `runOutside`. */
const CONCURRENTLY = '-- concurrently\n';

const WHILE_OTHERS_WORK =
  'It waits for the transactions that are open now, such as an export or a backup; other sessions go on.';

/** The statements of a step in a form that can be part of a transaction. */
export const inOneTransaction = ({ sql }: Migration): string =>
  sql.startsWith(CONCURRENTLY) ? sql.replaceAll(' CONCURRENTLY', '') : sql;

/** Applies steps one by one, so that none holds the locks of another. */
export async function runSteps(
  sql: Db,
  steps: readonly Migration[],
  name: string,
  onMigration: OnMigration = () => {},
): Promise<void> {
  for (const [i, step] of steps.entries()) {
    const line = migrationLine(name, i + 1, steps.length);
    const isConcurrent = step.sql.startsWith(CONCURRENTLY);
    const timer = setTimeout(
      () => onMigration(isConcurrent ? `${line} ${WHILE_OTHERS_WORK}` : line),
      SLOW_MS,
    );
    const report = (reason: string) => {
      clearTimeout(timer);
      onMigration(`${line} ${reason}`);
    };
    try {
      if (isConcurrent) await runOutside(sql, step);
      else await runUntilLocked(sql, step, report);
    } finally {
      clearTimeout(timer);
    }
  }
}

export async function recordVersion(sql: Db, { version }: Migration): Promise<void> {
  await sql`INSERT INTO animal_store.migrations (version) VALUES (${version})`;
}

/**
 * Statement by statement, without a limit of time: each waits until the transactions that are open have ended, but no other session waits for
 * it. Such a step can be repeated: it begins by removing what an interrupted attempt has left.
 */
async function runOutside(sql: Db, step: Migration): Promise<void> {
  const withoutComments = step.sql.replaceAll(/^--.*$/gm, '');
  for (const statement of withoutComments.split(';'))
    if (statement.trim() !== '') await sql.unsafe(statement);
  await recordVersion(sql, step);
}

/** In one transaction. While another session, such as an export, uses the tables, tries again and again. */
async function runUntilLocked(sql: Db, step: Migration, report: (reason: string) => void): Promise<void> {
  for (let reportAt = performance.now(); ; await sleep(PAUSE_MS)) {
    try {
      return await inTransaction(sql, async () => {
        await sql.unsafe(`SET LOCAL lock_timeout = ${LOCK_MS}`);
        await sql.unsafe(step.sql);
        await recordVersion(sql, step);
      });
    } catch (error) {
      if (!isLockedOrBusy(error)) throw error;
    }
    if (performance.now() < reportAt) continue;
    reportAt = performance.now() + REPORT_MS;
    report(`It waits for ${await longestTransaction(sql)}.`);
  }
}

const LONGEST = `
  SELECT pid, coalesce(nullif(application_name, ''), usename) AS program, floor(extract(epoch FROM now() - xact_start))::int AS seconds
  FROM pg_stat_activity
  WHERE pid <> pg_backend_pid() AND pid IN (
    SELECT pid FROM pg_locks JOIN pg_class ON pg_class.oid = relation
    WHERE granted AND relnamespace = 'animal_store'::regnamespace)
  ORDER BY xact_start LIMIT 1`;

/** The session that uses the tables for longest, for a person to find. */
async function longestTransaction(sql: Db): Promise<string> {
  const [found] = await sql.unsafe<{ pid: number; program: string; seconds: number }[]>(LONGEST);
  if (!found) return 'other sessions that use the tables';
  const { pid, program, seconds } = found;
  return `a transaction of ${program} (process ${pid} of the server), which has been open for ${seconds} s`;
}
