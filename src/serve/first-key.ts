import { digestOf, generateKey } from '../keys/format.ts';
import type { Store } from '../store/store.ts';

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
