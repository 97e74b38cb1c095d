import type { WriteMonitor } from './batcher.ts';
import { parseDatabaseUrl } from './database-url.ts';
import type { OnMigration } from './migrations.ts';
import type { RemoteCommit, SharedWriter } from './shared-writer.ts';
import type { Store } from './store.ts';

const MEMORY = ':memory:';

export interface OpenOptions {
  /** Whether to create an SQLite file that does not exist. */
  readonly create?: boolean;
  /** Commits through the shared writer of another process. */
  readonly remoteCommit?: RemoteCommit;
  /** Receives events about the writes that this process commits. */
  readonly monitor?: WriteMonitor;
  /** Receives one line for the log when the store finds a lasting fault, such as a deleted database file. */
  readonly report?: (message: string) => void;
  /** How long events are kept, in milliseconds; 90 days unless given. */
  readonly eventsKeepMs?: number;
  /** Receives a line for a person when a migration takes longer than a second. */
  readonly onMigration?: OnMigration;
}

/** Opens the store that a DATABASE_URL names and brings its schema up to date. */
export async function openStore(url: string, options: OpenOptions = {}): Promise<Store> {
  const database = parseDatabaseUrl(url);
  if (database.kind === 'postgres') {
    const { openPostgres } = await import('./postgres/store.ts');
    return openPostgres(database.url, options);
  }
  const { openSqlite } = await import('./sqlite/store.ts');
  return openSqlite(database.kind === 'memory' ? MEMORY : database.path, options);
}

/** The writer that the processes on one SQLite file share. PostgreSQL handles several writers itself. */
export async function openSharedWriter(
  url: string,
  monitor?: WriteMonitor,
): Promise<SharedWriter | undefined> {
  const database = parseDatabaseUrl(url);
  if (database.kind !== 'sqlite') return undefined;
  const { shareWriter } = await import('./sqlite/writer/shared-writer.ts');
  return shareWriter(database.path, undefined, monitor);
}
