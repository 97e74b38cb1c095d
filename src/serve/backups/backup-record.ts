import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { assertFolder, assertMayWrite } from '../../store/file-errors.ts';

/** What a service knows about the backups it has written to a folder. `animal-store doctor` reads it as well. */
export interface BackupRecord {
  /** The absolute path of the database. */
  readonly database: string;
  /** The names of the files that the service has created and not deleted, oldest first. */
  readonly files: readonly string[];
  readonly succeededAt?: string;
  readonly failedAt?: string;
  /** Why the latest backup failed; missing if it succeeded. */
  readonly failure?: string;
}

export const RECORD_FILE = 'animal-store-backups.json';

/** Throws unless there is this folder, and this account may read and write it. */
export function assertBackupFolder(folder: string): void {
  assertFolder(folder);
  assertMayWrite([join(folder, RECORD_FILE)]);
}

/** The record in the folder; undefined if there is none. */
export function readRecord(folder: string): BackupRecord | undefined {
  let text: string;
  try {
    text = readFileSync(join(folder, RECORD_FILE), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const record: unknown = JSON.parse(text);
  if (!isRecord(record)) throw new Error(`${RECORD_FILE} is not what the service has written`);
  return record;
}

/** Replaces the record as a whole; if that fails, the previous one stays, and nothing else. */
export function writeRecord(folder: string, record: BackupRecord): void {
  const path = join(folder, RECORD_FILE);
  const written = `${path}.new`;
  try {
    // Writes all of it, even if the system takes only a part at once.
    writeFileSync(written, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600, flush: true });
    renameSync(written, path);
  } catch (error) {
    rmSync(written, { force: true });
    throw error;
  }
}

/** A name with a path could lead to a file elsewhere, and files are deleted by these names. */
function isRecord(value: unknown): value is BackupRecord {
  const { database, files } = (value ?? {}) as Partial<BackupRecord>;
  const isName = (name: unknown) =>
    typeof name === 'string' && name === basename(name) && name.endsWith('.db');
  return typeof database === 'string' && Array.isArray(files) && files.every(isName);
}
