import type { Scope } from '../../../src/contract/scope.ts';
import { digestOf, generateKey } from '../../../src/keys/format.ts';
import type { Store } from '../../../src/store/store.ts';

/** Stores a new key with these scopes. */
export async function storeKey(
  store: Store,
  scopes: readonly Scope[],
  { name = 'till 3', expiresAt }: { name?: string; expiresAt?: Date } = {},
): Promise<{ readonly id: string; readonly key: string }> {
  const key = generateKey();
  const { id } = await store.createKey({ name, digest: digestOf(key), scopes, expiresAt });
  return { id, key };
}
