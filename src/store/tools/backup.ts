import { mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { existingFile, isPartOf, statIfExists, targetOf } from '../database-files.ts';
import { parseSharedUrl } from '../database-url.ts';
import { assertFolder } from '../file-errors.ts';
import type { BackupOptions, BackupResult } from '../sqlite/backup/copy.ts';
import { StoreError } from '../store.ts';

export type { BackupResult };

/**
 * Writes everything in the store, as of one moment, to a file that `restoreStore` reads. Services keep running and writing.
 * The file appears under its name when it is complete, without damage and on the disk, whatever interrupts the work. Blocks the thread.
 */
export async function backupStore(url: string, file: string, options: BackupOptions): Promise<BackupResult> {
  const from = await sqlitePath(url, (tools) => tools.dumpCommand(file));
  const to = resolve(file);
  const existing = statIfExists(to);
  if (existing?.isDirectory()) throw new StoreError(`${file} is a folder: name a file in it`);
  // A device or a pipe must not be replaced by a file, even with `overwrite`.
  if (existing && !existing.isFile() && !existing.isSymbolicLink())
    throw new StoreError(`${file} is not a file: name a file`);
  assertFolder(dirname(to));
  if (isPartOf(from, to))
    throw new StoreError(`${file} is the database itself: name another file for the backup`);
  if (existing && !options.overwrite)
    throw new StoreError(`${file} exists: name another file, or add --overwrite to replace it`);
  const { copyDatabase } = await import('../sqlite/backup/copy.ts');
  return copyDatabase(from, to, options);
}

/**
 * Makes the content of a backup the store. Verifies the backup first, and changes nothing unless all of it can be restored.
 * Refuses a store that contains anything, and one that another process has open.
 */
export async function restoreStore(url: string, file: string, onVerify?: () => void): Promise<BackupResult> {
  const path = await sqlitePath(url, (tools) => tools.restoreCommand(file));
  const from = resolve(file);
  if (!existingFile(from).isFile()) throw new StoreError(`${from} is not a file: name a file`);
  mkdirSync(dirname(resolve(path)), { recursive: true });
  // A symbolic link stays one.
  const to = targetOf(path);
  if (isPartOf(to, from)) throw new StoreError(`${from} is the database itself: name a backup of it`);
  const { restoreBackup } = await import('../sqlite/backup/restore.ts');
  return restoreBackup(from, to, onVerify);
}

type Tools = ReturnType<typeof import('../postgres/tools/pg-dump.ts')['toolsFor']>;

/** The path of an SQLite database. PostgreSQL has tools of its own for this, which `command` names. */
async function sqlitePath(url: string, command: (tools: Tools) => string): Promise<string> {
  const database = parseSharedUrl(url);
  if (database.kind === 'sqlite') return database.path;
  const { toolsFor } = await import('../postgres/tools/pg-dump.ts');
  throw new StoreError(command(toolsFor(database.url)));
}
