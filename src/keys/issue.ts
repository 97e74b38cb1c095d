import type { Scope } from '../contract/scope.ts';
import type { ApiKey, KeyRotation, NewApiKey, RefusedRotation, RotatedKey, Store } from '../store/store.ts';
import type { AuthenticatedKey } from './authenticated-key.ts';
import { digestOf, generateKey } from './format.ts';

// Creating and replacing keys, for the command line and over HTTP. The key itself is returned once and never stored.

interface IssuedKey {
  readonly key: string;
  readonly stored: ApiKey;
}

/** As `createKey` of the store. */
export async function issueKey(
  store: Store,
  given: Omit<NewApiKey, 'digest'>,
  actingKey?: string,
): Promise<IssuedKey> {
  const key = generateKey();
  return { key, stored: await store.createKey({ ...given, digest: digestOf(key) }, actingKey) };
}

/** As `rotateKey` of the store. */
export async function replaceKey(
  store: Store,
  id: string,
  given: Omit<KeyRotation, 'digest'>,
  actingKey?: string,
): Promise<(RotatedKey & { readonly key: string }) | RefusedRotation | undefined> {
  const key = generateKey();
  const rotated = await store.rotateKey(id, { ...given, digest: digestOf(key) }, actingKey);
  return rotated && 'created' in rotated ? { ...rotated, key } : rotated;
}

/** Creates an API key in a store that has never had one, unless keys are configured. Resolves with the new key. */
export async function issueFirstKey(
  store: Store,
  configured: readonly string[],
): Promise<string | undefined> {
  if (configured.length > 0) return undefined;
  const key = generateKey();
  const created = await store.createFirstKey({ name: 'first key', digest: digestOf(key) });
  return created && key;
}

/** Which of these scopes a key lacks. A key manages only keys whose scopes it has. */
export const missingScopes = ({ permissions }: AuthenticatedKey, scopes: readonly Scope[]): Scope[] =>
  scopes.filter((scope) => !permissions.has(scope));
