import { resolve } from 'node:path';
import { parseSharedUrl } from '../database-url.ts';
import type { Counts } from './dump.ts';

/**
 * Copies everything from one store into a new one of any kind, with every id, key and date unchanged: all of it or nothing. Returns how many
 * items of each resource there are. Until it is over, no other process can write to the first store, which is upgraded before if it is of
 * an older version, and otherwise not changed.
 */
export async function moveStore(from: string, to: string): Promise<Counts> {
  const [source, target] = [await storeAt(from), await storeAt(to)];
  return source.readDump(source.place, async (dump) => {
    await target.createFromDump(target.place, dump);
    return dump.counts;
  });
}

async function storeAt(url: string) {
  const database = parseSharedUrl(url);
  const [{ readDump }, { createFromDump }] =
    database.kind === 'sqlite'
      ? [await import('../sqlite/tools/move-from.ts'), await import('../sqlite/tools/move-into.ts')]
      : [await import('../postgres/tools/move-from.ts'), await import('../postgres/tools/move-into.ts')];
  // Errors name a file by its absolute path.
  return { place: database.kind === 'sqlite' ? resolve(database.path) : url, readDump, createFromDump };
}
