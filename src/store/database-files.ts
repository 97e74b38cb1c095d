import { lstatSync, readlinkSync, realpathSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { parseDatabaseUrl } from './database-url.ts';
import { StoreError } from './store.ts';

/** The file that a path leads to. Like SQLite, it follows a symbolic link even to a file that does not exist. */
export function targetOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {}
  try {
    return targetOf(resolve(dirname(path), readlinkSync(path)));
  } catch {
    return resolve(path);
  }
}

/** SQLite creates it next to the file itself, not next to a symbolic link. */
export const walOf = (path: string): string => `${targetOf(path)}-wal`;

/**
 * A `-wal` file is truncated to this length when SQLite starts it over, which needs a moment in which no connection reads an older
 * state. It has a few megabytes unless a program reads for a long time; more than this is reported.
 */
export const LARGE_WAL_BYTES = 64 * 1024 * 1024;

/** The SQLite database at this path, and the files that belong to it, whether or not they exist. */
export const filesOf = (path: string): string[] =>
  ['', '-wal', '-shm', '-journal'].map((suffix) => `${targetOf(path)}${suffix}`);

/** Whether `file` is the SQLite database at `path`, by whatever name, or one of the files that belong to it. */
export function isPartOf(path: string, file: string): boolean {
  const [database, other] = [statIfExists(path), statIfExists(file)];
  if (database && other && database.ino === other.ino && database.dev === other.dev) return true;
  const name = join(targetOf(dirname(resolve(file))), basename(file));
  return filesOf(path).includes(name);
}

export function isPartOfDatabase(url: string, file: string): boolean {
  const database = parseDatabaseUrl(url);
  return database.kind === 'sqlite' && isPartOf(database.path, file);
}

/** The file at a path; throws unless it can be read from. */
export function existingFile(path: string): Stats {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) throw new StoreError(`there is no file ${path}: name one that exists`);
  if (stats.isDirectory()) throw new StoreError(`${path} is a folder: name a file in it`);
  return stats;
}

/** Unlike `existsSync`, throws if this account may not look. A symbolic link that leads nowhere exists as well. */
export const statIfExists = (path: string): Stats | undefined =>
  statSync(path, { throwIfNoEntry: false }) ?? lstatSync(path, { throwIfNoEntry: false });
