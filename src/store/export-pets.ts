import type { Pet, PetStatus } from '../contract/pet.ts';
import { parseDatabaseUrl } from './database-url.ts';
import { openStore } from './open.ts';
import { StoreError } from './store.ts';

export interface ExportQuery {
  readonly status?: PetStatus | undefined;
}

/** Receives animals; the next ones are read when its promise resolves. */
export type ReceivePets = (pets: readonly Pet[]) => Promise<void>;

/** Passes every animal of one moment to `receive`, oldest first, in chunks of bounded size. Services keep running. */
export async function exportPets(url: string, query: ExportQuery, receive: ReceivePets): Promise<void> {
  const database = parseDatabaseUrl(url);
  if (database.kind === 'memory') throw new StoreError('a database in memory belongs to its service');
  await (await openStore(url, { create: false })).close();
  if (database.kind === 'postgres') {
    const postgres = await import('./postgres/export.ts');
    return postgres.exportPets(database.url, query, receive);
  }
  const sqlite = await import('./sqlite/export.ts');
  return sqlite.exportPets(database.path, query, receive);
}
