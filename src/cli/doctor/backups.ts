import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { assertBackupFolder, RECORD_FILE, readRecord } from '../../serve/backups/backup-record.ts';
import { parseDatabaseUrl } from '../../store/database-url.ts';
import { fileError } from '../../store/file-errors.ts';
import { closePartial, createPartial } from '../../store/partial-file.ts';
import { StoreError } from '../../store/store.ts';
import { advised, type Given } from '../database.ts';
import { type Finding, findingsOf } from './finding.ts';

const { ok, notice, problem } = findingsOf('backups');

/** Whether the service writes its scheduled backups. */
export function checkBackups(given: Given): Finding[] {
  const { database: url, backupDir } = given.config;
  const database = parseDatabaseUrl(url);
  if (database.kind !== 'sqlite') return [];
  if (backupDir === undefined)
    return [
      notice(
        'the service writes no backups, or BACKUP_DIR is set only for the service',
        `start the service with --backup-dir DIR, or schedule ${advised(given, 'backup', 'FILE')}; give the doctor the same --backup-dir`,
      ),
    ];
  try {
    assertBackupFolder(backupDir);
    // The service may have lost its rights since it wrote the record. Nothing is left behind.
    const trial = join(backupDir, 'animal-store-doctor');
    closePartial(trial, createPartial(trial));
    return [checkRecord(given, resolve(database.path), backupDir)];
  } catch (cause) {
    const error = fileError(cause);
    if (error instanceof StoreError) return [problem(error.message)];
    return [problem(`${join(backupDir, RECORD_FILE)} cannot be read: ${error.message}`, 'move it away')];
  }
}

function checkRecord(given: Given, database: string, folder: string): Finding {
  const record = readRecord(folder);
  const start = `start the service with it: ${advised(given, 'serve', `--backup-dir=${folder}`)}`;
  if (!record) return problem(`no service has written a backup to ${folder}`, start);
  if (record.database !== database)
    return problem(
      `${folder} has the backups of ${record.database}`,
      'name another folder for this database',
    );
  const { succeededAt, failedAt, failure, files } = record;
  if (failure !== undefined)
    return problem(
      `the backup at ${failedAt} failed: ${failure}`,
      succeededAt === undefined ? undefined : `the latest good one is of ${succeededAt}`,
    );
  const kept = files.filter((name) => existsSync(join(folder, name)));
  if (succeededAt === undefined || kept.length === 0)
    return problem(`there is no backup in ${folder}`, start);
  // A backup may be late, because it takes time and the service may be restarting.
  if (Date.now() - Date.parse(succeededAt) > 2 * given.config.backupEvery)
    return problem(
      `the latest backup is of ${succeededAt}, which is too long ago`,
      `${start}, and look at its log`,
    );
  return ok(`${kept.length} in ${folder}, the latest of ${succeededAt}`);
}
