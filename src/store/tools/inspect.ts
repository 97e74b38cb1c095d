import { parseSharedUrl } from '../database-url.ts';
import type { ApiKey } from '../store.ts';

/** What can be told about a store from outside, without changing anything in it. */
export interface Inspection {
  /** Undefined for PostgreSQL. */
  readonly sqliteVersion?: string;
  /** Whether the database contains no store yet: the next start of the service creates one. */
  readonly isNew: boolean;
  /** By how many versions the next start of the service upgrades the schema; below zero if a newer version has made it. */
  readonly versionsBehind: number;
  /** How many connections to the server are free, and how many a process of the service still needs; undefined for SQLite. */
  readonly connections?: { readonly free: number; readonly needed: number };
  /** The command of PostgreSQL that backs it up to a file called FILE; undefined for SQLite. */
  readonly dumpCommand?: string;
  /** Where the database file is damaged; empty if nothing was found. */
  readonly damage: readonly string[];
  /** Content that the program would never write; empty if nothing was found. */
  readonly problems: readonly string[];
  /** The size of the database in bytes, without its write-ahead log. */
  readonly bytes: number;
  /** The latest time that is stored. */
  readonly latestTime?: Date | undefined;
  /** How much the clock of the database server is ahead of ours; 0 for SQLite. */
  readonly clockAheadMs: number;
  /** Undefined before that upgrade: an older schema does not have all that is read of a key. */
  readonly keys: readonly ApiKey[] | undefined;
}

/** Rejects with one line that says why the database cannot be used. A service may be running on it. */
export async function inspectStore(url: string): Promise<Inspection> {
  const database = parseSharedUrl(url);
  if (database.kind === 'postgres')
    return (await import('../postgres/tools/inspect.ts')).inspect(database.url);
  return (await import('../sqlite/tools/inspect.ts')).inspect(database.path);
}

/** Whether there is no store yet, for a command that must not create one. */
export async function isNewStore(url: string): Promise<boolean> {
  const database = parseSharedUrl(url);
  if (database.kind === 'postgres') return (await import('../postgres/tools/inspect.ts')).isNew(database.url);
  return (await import('../sqlite/tools/inspect.ts')).isNew(database.path);
}
