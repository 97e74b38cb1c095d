import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { filesOf } from '../../database-files.ts';
import { assertMayWrite } from '../../file-errors.ts';
import { assertNoLogAlone, bytesOf, sqliteVersion, withDatabase } from '../connection.ts';
import { cannotUse } from '../errors.ts';
import { keyReads } from '../keys.ts';
import { contentProblems, damageIn } from '../schema/content-check.ts';
import { schemaVersion, versionsBehind } from '../schema/migrate.ts';

const MAX_DAMAGES = 5;
/** Every column with a time that the program writes. */
const TIMES = [
  ['api_keys', 'created_at'],
  ['api_keys', 'revoked_at'],
  ['api_keys', 'last_used_at'],
  ['orders', 'changed_at'],
  ['events', 'at'],
  ['idempotency_keys', 'created_at'],
  ['write_probe', 'at'],
];

/** Does not use a read-only connection, which would leave -wal and -shm files where no service runs. */
export async function inspect(path: string) {
  assertMayWrite(filesOf(path));
  return withDatabase(path, { create: false }, (db) => {
    db.exec('PRAGMA query_only = ON');
    const behind = versionsBehind(db, path);
    const isNew = schemaVersion(db, path) === 0;
    const damage = damageIn(db, MAX_DAMAGES);
    // A service may be writing: counts and rows are those of one moment.
    db.exec('BEGIN');
    return {
      sqliteVersion: sqliteVersion(),
      isNew,
      versionsBehind: behind,
      damage,
      // What is damaged cannot be counted.
      problems: isNew || damage.length > 0 ? [] : contentProblems(db),
      bytes: bytesOf(db),
      latestTime: isNew ? undefined : latestTimeIn(db),
      clockAheadMs: 0,
      keys: behind <= 0 ? keyReads(db).listKeys() : undefined,
    };
  });
}

export function isNew(path: string): boolean {
  try {
    assertNoLogAlone(path);
    return !statSync(path, { throwIfNoEntry: false })?.size;
  } catch (error) {
    throw cannotUse(path, error);
  }
}

function latestTimeIn(db: DatabaseSync): Date | undefined {
  const times = TIMES.map(([table, column]) => `SELECT max(${column}) AS at FROM ${table}`);
  const latest = db.prepare(`SELECT max(at) AS latest FROM (${times.join(' UNION ALL ')})`).get()?.latest;
  return latest == null ? undefined : new Date(Number(latest));
}
