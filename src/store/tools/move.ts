import { parseDatabaseUrl } from '../database-url.ts';
import { StoreError } from '../store.ts';
import type { Counts } from '../tables.ts';

/**
 * Copies everything from one store into another that is new, with every id, key and date unchanged: all of it or nothing.
 * The source must not be in use. It keeps everything; one of an older version is upgraded. Returns how many items of each resource there are.
 */
export async function moveStore(from: string, to: string): Promise<Counts> {
  const source = parseDatabaseUrl(from);
  const target = parseDatabaseUrl(to);
  if (source.kind !== 'sqlite' || target.kind !== 'postgres') {
    throw new StoreError('a store can only be moved from sqlite:… to postgres://…');
  }
  const { openDump } = await import('../sqlite/tools/move-from.ts');
  const { receiveDump } = await import('../postgres/tools/move-into.ts');
  const dump = openDump(source.path);
  try {
    await receiveDump(target.url, dump);
    return dump.counts;
  } finally {
    dump.close();
  }
}
