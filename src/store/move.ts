import type { Counts } from './dump-chunk.ts';
import { StoreError } from './store.ts';

/**
 * Copies everything from one store into another that is new, with every id, key and date unchanged: all of it or nothing.
 * The source must not be in use, and is not changed. Returns how many items of each resource there are.
 */
export async function moveStore(from: string, to: string): Promise<Counts> {
  if (!from.startsWith('sqlite:') || !/^postgres(?:ql)?:\/\//.test(to)) {
    throw new StoreError('a store can only be moved from sqlite:… to postgres://…');
  }
  const { openDump } = await import('./sqlite/dump.ts');
  const { restore } = await import('./postgres/restore.ts');
  const dump = openDump(from.slice('sqlite:'.length));
  try {
    await restore(to, dump);
    return dump.counts;
  } finally {
    dump.close();
  }
}
