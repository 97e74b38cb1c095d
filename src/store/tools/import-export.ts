import { MEMORY, parseSharedUrl } from '../database-url.ts';
import { openStore } from '../open.ts';
import type { DumpChunk } from './dump.ts';
import type { ExportQuery, ImportOptions, ImportResult, PetBatches, ReceivePets } from './pet-transfer.ts';

/** The database to check rows with when there is no store yet. */
export const NO_STORE = `sqlite:${MEMORY}`;

/**
 * Adds and changes all the animals or none; new ones in their order. Rejects with `RowsRefused` if rows do not fit the store.
 * Services on the same database keep running and see the animals once all of them are committed. An import that is interrupted,
 * even by kill -9, leaves no trace.
 */
export async function importPets(
  url: string,
  batches: PetBatches,
  options: ImportOptions,
): Promise<ImportResult> {
  const database =
    url === NO_STORE ? ({ kind: 'sqlite', path: MEMORY } as const) : await sharedDatabase(url, false);
  if (database.kind === 'postgres')
    return (await import('../postgres/tools/import.ts')).importPets(database.url, batches, options);
  return (await import('../sqlite/tools/import.ts')).importPets(database.path, batches, options);
}

/** Adds items with their ids and times to a store that has, and had, nothing but API keys. Otherwise returns false, and changes nothing. */
export async function fillEmptyStore(
  url: string,
  content: readonly DumpChunk[],
  create: boolean,
): Promise<boolean> {
  const database = await sharedDatabase(url, false);
  if (database.kind === 'postgres')
    return (await import('../postgres/tools/move-into.ts')).fillEmpty(database.url, content);
  return (await import('../sqlite/tools/move-into.ts')).fillEmpty(database.path, content, create);
}

/** Passes every animal, as of one moment, to `receive`, oldest first, in chunks of bounded size. Services keep running. */
export async function exportPets(url: string, query: ExportQuery, receive: ReceivePets): Promise<void> {
  const database = await sharedDatabase(url, true);
  if (database.kind === 'postgres')
    return (await import('../postgres/tools/export.ts')).exportPets(database.url, query, receive);
  return (await import('../sqlite/tools/export.ts')).exportPets(database.path, query, receive);
}

/** A database that outlives this process. One in PostgreSQL is checked first; a schema of another version is refused. */
async function sharedDatabase(url: string, mustExist: boolean): Promise<ReturnType<typeof parseSharedUrl>> {
  const database = parseSharedUrl(url);
  if (database.kind === 'postgres') await (await openStore(url, { mustExist })).close();
  return database;
}
