import { ApiError } from '../contract/errors.ts';
import { shownKey } from '../keys/issue.ts';
import type { ApiKey } from '../store/store.ts';
import { date, type Io, print } from './io.ts';
import { expiresSoon, hasFullAccess, isNeverUsed, stateOf } from './key-state.ts';

/** A key for `--json`. */
export function shown(key: ApiKey) {
  return {
    ...shownKey(key),
    state: stateOf(key),
    expiresSoon: expiresSoon(key),
    neverUsed: isNeverUsed(key),
  };
}

/** What `change` returns. If there is no key with this id, says where to find one. */
export async function changeKey<T>(id: string, change: Promise<T>): Promise<T> {
  try {
    return await change;
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'key_not_found') throw error;
    throw noSuchKey(id, error);
  }
}

export const noSuchKey = (id: string, cause?: unknown) =>
  new Error(`there is no key ${id}: run animal-store keys list to see all keys`, { cause });

/** Prints what a key may do, and until when. */
export function printAccess(io: Io, { scopes, expiresAt }: ApiKey, when = ''): void {
  print(io, hasFullAccess({ scopes }) ? 'It has full access.' : `Scopes: ${scopes.join(', ')}`);
  print(io, `It works${when} until ${expiresAt ? date(expiresAt) : 'it is revoked'}.`);
}

/** Prints a new key, which cannot be shown again. */
export function printNewKey(io: Io, key: string, created: ApiKey, database: string): void {
  print(io, `${key}\n`);
  print(io, `Created key ${created.id} (${created.name}) in ${database}`);
  printAccess(io, created, ' at once,');
  print(io, 'Save it now: only its digest is stored, so it cannot be shown again.');
}
