import { accessSync, constants } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Inspection } from '../../tools/inspection-report.ts';
import { connect } from '../connection.ts';
import { cannotUse } from '../errors.ts';
import { damageIn } from '../file/damage.ts';
import { keyReads } from '../keys.ts';
import { hasColumn } from '../schema/content-check.ts';
import { missingMigrations, schemaVersion } from '../schema/migrate.ts';
import { altered, schemaProblems } from '../schema/schema-check.ts';

const MAX_DAMAGES = 5;
/** Every column with a time that the program writes, by whatever version. */
const TIMES = {
  api_keys: ['created_at', 'revoked_at', 'last_used_at'],
  orders: ['updated_at', 'changed_at'],
  events: ['at'],
  idempotency_keys: ['created_at'],
  write_probe: ['at'],
};

/** Not with a read-only connection: it would leave -wal and -shm files where no service runs. */
export function inspect(path: string): Inspection {
  let db: DatabaseSync | undefined;
  try {
    db = connect(path, { create: false });
    for (const file of [path, dirname(path)]) accessSync(file, constants.W_OK);
    db.exec('PRAGMA query_only = ON');
    const missing = missingMigrations(db, path);
    const isNew = schemaVersion(db, path) === 0;
    const damage = damageIn(db, MAX_DAMAGES);
    // A service may be writing: counts and rows are those of one moment.
    db.exec('BEGIN');
    // What is damaged cannot be counted.
    const problems = damage.length > 0 ? [] : schemaProblems(db);
    const found = { missingMigrations: missing, damage, schemaProblems: problems };
    return { ...found, isNew, backupCommand: 'animal-store backup FILE', ...contentOf(db, path, found) };
  } catch (error) {
    throw cannotUse(path, error);
  } finally {
    db?.close();
  }
}

function contentOf(
  db: DatabaseSync,
  path: string,
  found: Pick<Inspection, 'missingMigrations' | 'schemaProblems'>,
) {
  const size = db.prepare('SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size');
  try {
    return {
      bytes: Number(size.get()?.bytes),
      latestTime: latestTimeIn(db),
      clockAheadMs: 0,
      keys: found.missingMigrations === 0 ? keyReads(db).listKeys() : undefined,
    };
  } catch (error) {
    const [problem] = found.schemaProblems;
    throw problem === undefined ? error : altered(path, problem);
  }
}

function latestTimeIn(db: DatabaseSync): Date | undefined {
  const times = Object.entries(TIMES).flatMap(([table, columns]) =>
    columns.filter((column) => hasColumn(db, table, column)).map((column) => latestIn(db, table, column)),
  );
  const latest = Math.max(...times);
  return latest > 0 ? new Date(latest) : undefined;
}

const latestIn = (db: DatabaseSync, table: string, column: string): number =>
  Number(db.prepare(`SELECT coalesce(max(${column}), 0) AS latest FROM ${table}`).get()?.latest);
