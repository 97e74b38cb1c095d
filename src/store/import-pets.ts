import type { NewPet, Pet } from '../contract/pet.ts';
import { parseDatabaseUrl } from './database-url.ts';
import { openStore } from './open.ts';
import { StoreError } from './store.ts';

/** Animals to import. The import fails when this fails, and then changes nothing. */
export type PetBatches = AsyncIterable<readonly (NewPet | Pet)[]>;

export interface ImportOptions {
  /** Whether every animal has an id and keeps it. Only a store without animals accepts that. */
  readonly keepIds: boolean;
  /** Whether to create an SQLite file that does not exist. */
  readonly create?: boolean;
  /** Called when every animal is read and the last step begins, which cannot be observed from outside. */
  readonly onCommit?: () => void;
}

/**
 * Adds all the animals or none, in their order, and returns how many. Services on the same database keep running and see
 * the animals once all of them are committed. An import that is interrupted, also by kill -9, leaves no trace.
 */
export async function importPets(url: string, batches: PetBatches, options: ImportOptions): Promise<number> {
  const database = parseDatabaseUrl(url);
  if (database.kind === 'memory') throw new StoreError('a database in memory ends with this command');
  // Brings the schema up to date, and checks that the database can be used.
  await (await openStore(url, { create: options.create === true })).close();
  if (database.kind === 'postgres') {
    const postgres = await import('./postgres/import.ts');
    return postgres.importPets(database.url, batches, options);
  }
  const sqlite = await import('./sqlite/import.ts');
  return sqlite.importPets(database.path, batches, options);
}

export const notEmpty = () =>
  new StoreError('ids can only be kept in a store without animals: import without --keep-ids');

export const duplicateId = (cause: unknown) =>
  new StoreError('an id occurs twice, so nothing was imported: give each row its own id', { cause });
