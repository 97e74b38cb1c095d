import type { ApiKey } from '../store/store.ts';

/** Time enough to bring a new key to its users. */
const SOON_MS = 14 * 86_400_000;

export type KeyState = 'revoked' | 'expired' | 'active';

export function stateOf({ revokedAt, expiresAt }: ApiKey, now = new Date()): KeyState {
  if (revokedAt) return 'revoked';
  return expiresAt && expiresAt <= now ? 'expired' : 'active';
}

/** Whether it is active and expires within two weeks. */
export function expiresSoon(key: ApiKey, now = new Date()): boolean {
  const { expiresAt } = key;
  return (
    stateOf(key, now) === 'active' &&
    expiresAt !== undefined &&
    expiresAt.getTime() - now.getTime() <= SOON_MS
  );
}

/** Whether it is active and no request has used it. Uses are recorded every ten seconds. */
export const isNeverUsed = (key: ApiKey): boolean =>
  stateOf(key) === 'active' && key.lastUsedAt === undefined;

/** Another active key with the same name that is valid for longer: the key was rotated, and expires as intended. */
export function replacementOf(key: ApiKey, keys: readonly ApiKey[]): ApiKey | undefined {
  const end = (one: ApiKey) => one.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY;
  return keys.find(
    (other) => other.name === key.name && stateOf(other) === 'active' && end(other) > end(key),
  );
}
