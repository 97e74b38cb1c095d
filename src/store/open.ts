import { type Store, StoreError } from './store.ts';

/** Opens the store that a DATABASE_URL names, with its schema brought up to date. A file is made when it is missing, if `create`. */
export async function openStore(url: string, { create = true } = {}): Promise<Store> {
  if (url.startsWith('sqlite:')) {
    const { openSqlite } = await import('./sqlite/store.ts');
    return openSqlite(url.slice('sqlite:'.length), create);
  }
  if (/^postgres(?:ql)?:\/\//.test(url)) {
    const { openPostgres } = await import('./postgres/store.ts');
    return openPostgres(url);
  }
  throw new StoreError(
    `DATABASE_URL must begin with sqlite: or postgres:// (as in sqlite:data/animal-store.db), not ${scheme(url)}`,
  );
}

/** As much of the URL as is safe to print: it may hold a password. */
const scheme = (url: string): string => JSON.stringify(url.split(/:|\//, 1)[0]);
