import { digestOf, generateKey } from '../keys/format.ts';
import type { Store } from '../store/store.ts';

/** Before the key in the start-up text. */
export const CREATED = 'Created your first API key. It is shown only once:';

/** Creates an API key in a store that has never had one, unless keys are configured. Resolves with the new key. */
export async function createFirstKey(
  store: Store,
  configured: readonly string[],
): Promise<string | undefined> {
  if (configured.length > 0) return undefined;
  const key = generateKey();
  const created = await store.createFirstKey({ name: 'first key', digest: digestOf(key) });
  return created && key;
}

/** For a start that failed after the key was created: the next start does not create another. */
export function printFirstKey(firstKey: string | undefined): void {
  if (firstKey !== undefined) process.stderr.write(`${CREATED} ${firstKey}\n`);
}
