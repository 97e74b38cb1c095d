import { parseDatabaseUrl } from '../database-url.ts';
import { StoreError } from '../store.ts';
import type { Inspection } from './inspection-report.ts';

/** Rejects with one line that says why the database cannot be used. A service may be running on it. */
export async function inspectStore(url: string): Promise<Inspection> {
  const database = parseDatabaseUrl(url);
  if (database.kind === 'memory') throw new StoreError('a database in memory belongs to its service');
  if (database.kind === 'postgres')
    return (await import('../postgres/tools/inspect.ts')).inspect(database.url);
  return (await import('../sqlite/tools/inspect.ts')).inspect(database.path);
}
