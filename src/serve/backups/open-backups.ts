import { join, resolve } from 'node:path';
import { type Config, UsageError } from '../../config.ts';
import type { Log } from '../../log.ts';
import type { Metrics } from '../../metrics/metrics.ts';
import { parseDatabaseUrl } from '../../store/database-url.ts';
import { StoreError } from '../../store/store.ts';
import { assertBackupFolder, type BackupRecord, RECORD_FILE, readRecord } from './backup-record.ts';
import { RotatingBackups } from './rotating-backups.ts';

/** The backups that `--backup-dir` asks for; undefined without it. Refuses a folder that cannot be used. */
export function openBackups(
  { database: url, backupDir, backupEvery, backupKeep }: Config,
  log: Log,
  metrics: Metrics,
): RotatingBackups | undefined {
  const database = parseDatabaseUrl(url);
  if (backupDir === undefined || database.kind !== 'sqlite') return undefined;
  const record = recordFor(resolve(database.path), backupDir, log);
  const options = { url, folder: backupDir, everyMs: backupEvery, keep: backupKeep, log };
  const backups = new RotatingBackups(options, record);
  metrics.add(() => backups.families());
  return backups;
}

function recordFor(database: string, folder: string, log: Log): BackupRecord {
  let record: BackupRecord | undefined;
  try {
    assertBackupFolder(folder);
    record = readRecord(folder);
  } catch (error) {
    if (error instanceof StoreError)
      throw new UsageError(`--backup-dir (BACKUP_DIR) cannot be used: ${error.message}`, { cause: error });
    const { message } = error as Error;
    log.error({ reason: message, folder }, 'the record of backups is unreadable; existing files are kept');
  }
  if (record && record.database !== database)
    throw new UsageError(
      `--backup-dir (BACKUP_DIR) ${folder} has the backups of ${record.database}: name another folder, or move ${join(folder, RECORD_FILE)} to another one`,
    );
  return record ?? { database, files: [] };
}
