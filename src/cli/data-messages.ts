import type { Config } from '../config.ts';
import { openStore } from '../store/open.ts';
import type { ApiKey } from '../store/store.ts';
import { print } from './command.ts';

/** `1 animal`, `2,000 animals`. */
export const count = (number: number, noun: string): string =>
  `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;

export const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/**
 * The first start of the service creates a key only in a store without animals. A store that cannot be read now, for example
 * because it is locked, is no error: the caller has added animals, and must not be run again.
 */
export async function hintAboutKeys({ database }: Config): Promise<void> {
  const keys = await storedKeys(database).catch(() => undefined);
  if (keys?.length === 0)
    print('The store has no API key yet. Create one: animal-store keys create --name "till 3"');
}

async function storedKeys(database: string): Promise<ApiKey[]> {
  const store = await openStore(database, { create: false });
  return store.listKeys().finally(() => store.close());
}
