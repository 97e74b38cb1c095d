import { parseDatabaseUrl } from './database-url.ts';
import { openStore } from './open.ts';
import type { ImportOptions, PetBatches } from './pet-transfer.ts';
import { StoreError } from './store.ts';

/**
 * Adds all the animals or none, in their order, and returns how many. Services on the same database keep running and see
 * the animals once all of them are committed. An import that is interrupted, also by kill -9, leaves no trace.
 */
export async function importPets(url: string, batches: PetBatches, options: ImportOptions): Promise<number> {
  const database = parseDatabaseUrl(url);
  if (database.kind === 'memory') throw new StoreError('a database in memory ends with this command');
  if (database.kind === 'postgres') {
    // Brings the schema up to date, and checks that the database can be used.
    await (await openStore(url)).close();
    const postgres = await import('./postgres/import.ts');
    return postgres.importPets(database.url, batches, options);
  }
  const sqlite = await import('./sqlite/import.ts');
  return sqlite.importPets(database.path, batches, options);
}
