import { inactive } from '../contract/rules/keys.ts';
import { FULL_ACCESS } from '../contract/scope.ts';
import { durationText } from '../contract/time.ts';
import type { ApiKey } from '../store/store.ts';

/** Enough time to bring a new key to its users; less for a key that is valid for less than eight weeks. */
const SOON_MS = 14 * 86_400_000;

/** A key that is not used for this long is probably forgotten. */
export const IDLE_DAYS = 90;

export const stateOf = (key: ApiKey) => inactive(key, new Date()) ?? 'active';

/** Whether it is active and expires within two weeks, and in the last quarter of its lifetime, unless a rotation has cut that short. */
export function expiresSoon(key: ApiKey): boolean {
  const { createdAt, expiresAt, replacedBy } = key;
  if (!expiresAt || stateOf(key) !== 'active') return false;
  const lifetimeMs = replacedBy === undefined ? expiresAt.getTime() - createdAt.getTime() : Infinity;
  return expiresAt.getTime() - Date.now() <= Math.min(SOON_MS, lifetimeMs / 4);
}

export const hasFullAccess = ({ scopes }: Pick<ApiKey, 'scopes'>): boolean => scopes.includes(FULL_ACCESS);

/** Whether no request has used it for `IDLE_DAYS`, or since it was created. */
export const isIdle = ({ lastUsedAt, createdAt }: ApiKey): boolean =>
  Date.now() - (lastUsedAt ?? createdAt).getTime() >= IDLE_DAYS * 86_400_000;

/** Whether no request has used it. Uses are recorded every ten seconds. */
export const isNeverUsed = ({ lastUsedAt }: ApiKey): boolean => lastUsedAt === undefined;

/** Whether the key was rotated, and its replacement is active: it expires as intended. */
export const isReplaced = ({ replacedBy }: ApiKey, keys: readonly ApiKey[]): boolean =>
  replacedBy !== undefined && keys.some((key) => key.id === replacedBy && stateOf(key) === 'active');

/** The command that gives the users of a key a new one. A key that was rotated cannot be rotated again: its replacement shows the lifetime. */
export function renewalOf(key: ApiKey, keys: readonly ApiKey[]): string[] {
  const { id, name, scopes, replacedBy } = key;
  if (replacedBy === undefined) return ['keys', 'rotate', id];
  const { createdAt, expiresAt } = keys.find((other) => other.id === replacedBy) ?? key;
  const create = ['keys', 'create', `--name=${name}`];
  if (!hasFullAccess(key)) create.push(`--scopes=${scopes.join()}`);
  if (expiresAt) create.push(`--expires=${durationText(expiresAt.getTime() - createdAt.getTime())}`);
  return create;
}
