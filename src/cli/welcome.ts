import { VERSION } from '../contract/version.ts';
import { digestOf, generateKey } from '../keys/format.ts';
import { printable } from '../store/printable.ts';
import type { Store } from '../store/store.ts';
import { print } from './command.ts';

/** A key for a store that has never held anything, unless there are keys in the configuration. */
export async function makeFirstKey(store: Store, configured: readonly string[]): Promise<string | undefined> {
  if (configured.length > 0) return undefined;
  const key = generateKey();
  const made = await store.createFirstKey({ name: 'first key', digest: digestOf(key) });
  return made && key;
}

/** In one piece, so that whoever waits for the first line has all of them. */
export function welcome(address: string, database: string, firstKey: string | undefined): void {
  const lines = [
    `Animal Store ${VERSION} listens on ${address}`,
    `Animals are kept in ${printable(database)}`,
  ];
  if (firstKey !== undefined) {
    lines.push('', 'The store is new. Its first API key, shown this once only:', '', `  ${firstKey}`, '');
    lines.push('Try it:', '', `  curl -H "Authorization: Bearer ${firstKey}" ${address}/pets`, '');
  }
  print(lines.join('\n'));
}

/** The error to end with when a start fails; a key that was made for it is not lost. */
export function failedStart(error: NodeJS.ErrnoException, firstKey: string | undefined): Error {
  if (firstKey !== undefined) print(`The store is new; its first API key, shown this once only: ${firstKey}`);
  if (error.code === 'EADDRINUSE')
    return new Error('the port is taken: choose another with --port or PORT', { cause: error });
  if (error.code === 'EACCES')
    return new Error('the port is not ours to take: choose one above 1023 with --port or PORT', {
      cause: error,
    });
  return error;
}
