import { resolve } from 'node:path';
import { parseSharedUrl } from '../database-url.ts';
import type { Counts, Dump } from './dump.ts';

/** A store that a move reads from or writes to. */
interface Movable {
  /**
   * Calls `receive` with everything in the store. Refuses a store that is in use. Until `receive` has ended, no other process can write to it; it is
   * upgraded first if it is of an older version, and otherwise not changed.
   */
  read<T>(receive: (dump: Dump) => Promise<T>): Promise<T>;
  /** Creates the store with this content: all of it, durably, or none. Refuses one that contains anything. */
  create(dump: Dump): Promise<void>;
}

/**
 * Copies everything from one store into a new one of any kind, with every id, key and date unchanged: all of it or nothing. Returns how many
 * items of each resource there are.
 */
export async function moveStore(from: string, to: string): Promise<Counts> {
  const [source, target] = [await movableAt(from), await movableAt(to)];
  return source.read(async (dump) => {
    await target.create(dump);
    return dump.counts;
  });
}

async function movableAt(url: string): Promise<Movable> {
  const database = parseSharedUrl(url);
  if (database.kind === 'sqlite') {
    const { readDump } = await import('../sqlite/tools/move-from.ts');
    const { createFromDump } = await import('../sqlite/tools/move-into.ts');
    // Errors name the file by its absolute path.
    const path = resolve(database.path);
    return { read: (receive) => readDump(path, receive), create: (dump) => createFromDump(path, dump) };
  }
  const { readDump } = await import('../postgres/tools/move-from.ts');
  const { createFromDump } = await import('../postgres/tools/move-into.ts');
  return { read: (receive) => readDump(url, receive), create: (dump) => createFromDump(url, dump) };
}
