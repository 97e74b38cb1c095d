import type { RemoteCommit, SharedWriter } from './shared-writer.ts';
import { type Store, StoreError } from './store.ts';

export interface OpenOptions {
  /** Whether a missing file is created. */
  readonly create?: boolean;
  /** Commits through the shared writer of another process. */
  readonly remoteCommit?: RemoteCommit;
  /** Receives one line for the log when the store finds a lasting fault, such as a deleted database file. */
  readonly report?: (message: string) => void;
}

/** Opens the store that a DATABASE_URL names, with its schema brought up to date. */
export async function openStore(url: string, options: OpenOptions = {}): Promise<Store> {
  if (url.startsWith('sqlite:')) {
    const { openSqlite } = await import('./sqlite/store.ts');
    return openSqlite(url.slice('sqlite:'.length), options);
  }
  if (/^postgres(?:ql)?:\/\//.test(url)) {
    const { openPostgres } = await import('./postgres/store.ts');
    return openPostgres(url);
  }
  throw new StoreError(
    `DATABASE_URL must begin with sqlite: or postgres:// (as in sqlite:data/animal-store.db), not ${scheme(url)}`,
  );
}

/** The writer that processes on one SQLite file share; PostgreSQL sees to many writers itself. */
export async function openSharedWriter(url: string): Promise<SharedWriter | undefined> {
  if (!url.startsWith('sqlite:')) return undefined;
  const { shareWriter } = await import('./sqlite/shared-writer.ts');
  return shareWriter(url.slice('sqlite:'.length));
}

/** As much of the URL as is safe to print: it may hold a password. */
const scheme = (url: string): string => JSON.stringify(url.split(/:|\//, 1)[0]);
