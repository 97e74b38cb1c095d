import type { Scope } from '../contract/scope.ts';
import type { ApiKey, KeyRotation, NewApiKey, RefusedRotation, RotatedKey, Store } from '../store/store.ts';
import type { AuthenticatedKey } from './authenticated-key.ts';
import { digestOf, generateKey } from './format.ts';

// Creating and replacing keys, for the command line and over HTTP. The key itself is returned once and never stored.

export interface IssuedKey {
  readonly key: string;
  readonly stored: ApiKey;
}

export async function issueKey(store: Store, given: Omit<NewApiKey, 'digest'>): Promise<IssuedKey> {
  const key = generateKey();
  return { key, stored: await store.createKey({ ...given, digest: digestOf(key) }) };
}

/** As `rotateKey` of the store. */
export async function replaceKey(
  store: Store,
  id: string,
  given: Omit<KeyRotation, 'digest'>,
): Promise<(RotatedKey & { readonly key: string }) | RefusedRotation | undefined> {
  const key = generateKey();
  const rotated = await store.rotateKey(id, { ...given, digest: digestOf(key) });
  return rotated && 'created' in rotated ? { ...rotated, key } : rotated;
}

/** Which of these scopes a key lacks. A key manages only keys whose scopes it has. */
export const missingScopes = ({ permissions }: AuthenticatedKey, scopes: readonly Scope[]): Scope[] =>
  scopes.filter((scope) => !permissions.has(scope));
