import { inactive } from '../contract/rules/keys.ts';
import { FULL_ACCESS } from '../contract/scope.ts';
import { durationText } from '../contract/time.ts';
import type { ApiKey } from '../store/store.ts';

/** Enough time to bring a new key to its users; less for a key that is valid for less than eight weeks. */
const SOON_MS = 14 * 86_400_000;

/** A key that is not used for this long is probably forgotten. */
export const IDLE_DAYS = 90;

export const stateOf = (key: ApiKey) => inactive(key, new Date()) ?? 'active';

/** Whether the time is one of the last two weeks of the key, and of the last quarter of its lifetime, unless a rotation has cut that short. */
function isNearEnd({ createdAt, expiresAt, replacedBy }: ApiKey, time: number): boolean {
  if (!expiresAt) return false;
  const lifetimeMs = replacedBy === undefined ? expiresAt.getTime() - createdAt.getTime() : Infinity;
  return expiresAt.getTime() - time <= Math.min(SOON_MS, lifetimeMs / 4);
}

/** Whether it is active, and its users need a new one. */
export const expiresSoon = (key: ApiKey): boolean => stateOf(key) === 'active' && isNearEnd(key, Date.now());

export const hasFullAccess = ({ scopes }: Pick<ApiKey, 'scopes'>): boolean => scopes.includes(FULL_ACCESS);

/** Whether no request has used it for `IDLE_DAYS`, or since it was created. */
export const isIdle = ({ lastUsedAt, createdAt }: ApiKey): boolean =>
  Date.now() - (lastUsedAt ?? createdAt).getTime() >= IDLE_DAYS * 86_400_000;

/** Whether no request has used it. Uses are recorded every ten seconds. */
export const isNeverUsed = ({ lastUsedAt }: ApiKey): boolean => lastUsedAt === undefined;

/** Whether the key was rotated, and its replacement is active: it expires as intended. */
export const isReplaced = ({ replacedBy }: ApiKey, keys: readonly ApiKey[]): boolean =>
  replacedBy !== undefined && keys.some((key) => key.id === replacedBy && stateOf(key) === 'active');

/** Whether it has expired within two weeks while it was in use, and there is no valid key of its name: its client is locked out. */
export const endedInUse = (key: ApiKey, keys: readonly ApiKey[]): boolean =>
  stateOf(key) === 'expired' &&
  key.replacedBy === undefined &&
  key.lastUsedAt !== undefined &&
  isNearEnd(key, key.lastUsedAt.getTime()) &&
  Date.now() - Number(key.expiresAt) <= SOON_MS &&
  !keys.some((other) => other.name === key.name && stateOf(other) === 'active');

/** The command that gives the users of a key a new one. One that has expired or was rotated cannot be rotated: its replacement shows the lifetime. */
export function renewalOf(key: ApiKey, keys: readonly ApiKey[]): string[] {
  const { id, name, scopes, replacedBy } = key;
  if (replacedBy === undefined && stateOf(key) === 'active') return ['keys', 'rotate', id];
  const { createdAt, expiresAt } = keys.find((other) => other.id === replacedBy) ?? key;
  const create = ['keys', 'create', `--name=${name}`];
  if (!hasFullAccess(key)) create.push(`--scopes=${scopes.join()}`);
  if (expiresAt) create.push(`--expires=${durationText(expiresAt.getTime() - createdAt.getTime())}`);
  return create;
}
