import type { Author } from '../contract/event.ts';
import { Key } from '../contract/key.ts';
import type { Rotation } from '../contract/rules/keys.ts';
import type { ApiKey, NewApiKey, RotatedKey, Store } from '../store/store.ts';
import { digestOf, generateKey } from './format.ts';

// Creating, replacing and showing keys, for the command line and over HTTP. The key itself is returned once and never stored.

interface IssuedKey {
  readonly key: string;
  readonly stored: ApiKey;
}

/** As `createKey` of the store. */
export async function issueKey(
  store: Store,
  given: Omit<NewApiKey, 'digest'>,
  by?: Author,
): Promise<IssuedKey> {
  const key = generateKey();
  return { key, stored: await store.createKey({ ...given, digest: digestOf(key) }, by) };
}

/** As `rotateKey` of the store. */
export async function replaceKey(
  store: Store,
  id: string,
  given: Omit<Rotation, 'digest'>,
  by?: Author,
): Promise<RotatedKey & { readonly key: string }> {
  const key = generateKey();
  return { key, ...(await store.rotateKey(id, { ...given, digest: digestOf(key) }, by)) };
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

const FIELDS = Object.keys(Key.pipe[0].entries) as (keyof Key)[];

/** The fields of a key that may be shown: those of the contract. Its digest is not shown, because it would let anyone recognise the key. */
export const shownKey = (key: ApiKey): Partial<Pick<ApiKey, keyof Key>> =>
  Object.fromEntries(FIELDS.map((field) => [field, key[field]]));
