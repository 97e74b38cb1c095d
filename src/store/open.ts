import { MEMORY, parseDatabaseUrl } from './database-url.ts';
import type { OpenOptions } from './open-options.ts';
import type { Store } from './store.ts';

/** Opens the store that a DATABASE_URL names. Creates the schema of a new one; refuses an older one without `upgrade`. */
export async function openStore(url: string, options: OpenOptions = {}): Promise<Store> {
  const database = parseDatabaseUrl(url);
  if (database.kind === 'postgres') {
    const { openPostgres } = await import('./postgres/store.ts');
    return openPostgres(database.url, options);
  }
  const { openSqlite } = await import('./sqlite/store.ts');
  return openSqlite(database.kind === 'memory' ? MEMORY : database.path, options);
}
