import type { Carry, SharedWriter } from './shared.ts';
import { type Store, StoreError } from './store.ts';

export interface OpenOptions {
  /** Whether a file is made when it is missing. */
  readonly create?: boolean;
  /** The way to the shared writer, if there is one. */
  readonly carry?: Carry;
}

/** Opens the store that a DATABASE_URL names, with its schema brought up to date. */
export async function openStore(url: string, { create = true, carry }: OpenOptions = {}): Promise<Store> {
  if (url.startsWith('sqlite:')) {
    const { openSqlite } = await import('./sqlite/store.ts');
    return openSqlite(url.slice('sqlite:'.length), create, carry);
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
