import { parseDatabaseUrl } from './database-url.ts';
import { openStore } from './open.ts';
import type { ExportQuery, ReceivePets } from './pet-transfer.ts';
import { StoreError } from './store.ts';

/** Passes every animal of one moment to `receive`, oldest first, in chunks of bounded size. Services keep running. */
export async function exportPets(url: string, query: ExportQuery, receive: ReceivePets): Promise<void> {
  const database = parseDatabaseUrl(url);
  if (database.kind === 'memory') throw new StoreError('a database in memory belongs to its service');
  if (database.kind === 'postgres') {
    await (await openStore(url)).close();
    const postgres = await import('./postgres/export.ts');
    return postgres.exportPets(database.url, query, receive);
  }
  const sqlite = await import('./sqlite/export.ts');
  return sqlite.exportPets(database.path, query, receive);
}
