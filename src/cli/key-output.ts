import { type Config, UsageError } from '../config.ts';
import { duration } from '../config-values.ts';
import { expiresSoon, isNeverUsed, stateOf } from '../keys/state.ts';
import { openStore } from '../store/open.ts';
import type { ApiKey, Store } from '../store/store.ts';
import { print } from './command.ts';
import { assertDatabase } from './database.ts';

export const jsonFlag = { type: 'boolean', meaning: 'print JSON, for scripts' } as const;

/** A key for `--json`: everything but its digest. */
export function shown(key: ApiKey) {
  const { digest, ...rest } = key;
  return { ...rest, state: stateOf(key), expiresSoon: expiresSoon(key), neverUsed: isNeverUsed(key) };
}

export const date = (value: Date | undefined): string => value?.toISOString().replace(/\.\d+Z$/, 'Z') ?? '-';

export const noSuchKey = (id: string) =>
  new Error(`there is no key ${id}: run animal-store keys list to see all keys`);

/** Prints a new key, which cannot be shown again. */
export function printNewKey(key: string, { id, name, expiresAt }: ApiKey, database: string): void {
  print(`${key}\n`);
  print(`Created key ${id} (${name}) in ${database}`);
  print(`It works within a second, until ${expiresAt ? date(expiresAt) : 'it is revoked'}.`);
  print('Save it now: only its digest is stored, so it cannot be shown again.');
}

/** The time that a flag such as `--expires 90d` gives, in milliseconds. */
export function durationFlag(name: string, text: string | boolean): number {
  try {
    return duration(String(text));
  } catch (error) {
    throw new UsageError(`--${name} ${(error as Error).message}`, { cause: error });
  }
}

export async function withStore<T>(
  config: Config,
  work: (store: Store) => Promise<T>,
  create?: boolean,
): Promise<T> {
  assertDatabase(config, create);
  const store = await openStore(config.database, { create: create === true });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

export function table(head: string[], rows: string[][]): void {
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => (row[i] ?? '').length)));
  for (const row of [head, ...rows])
    print(
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    );
}
