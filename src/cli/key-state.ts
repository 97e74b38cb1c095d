import { inactive } from '../contract/rules/keys.ts';
import { FULL_ACCESS } from '../contract/scope.ts';
import type { ApiKey } from '../store/store.ts';

/** Time enough to bring a new key to its users. */
const SOON_MS = 14 * 86_400_000;

/** A key that is not used for this long is probably forgotten. */
export const IDLE_DAYS = 90;

export const stateOf = (key: ApiKey) => inactive(key, new Date()) ?? 'active';

/** Whether it is active and expires within two weeks. */
export const expiresSoon = (key: ApiKey): boolean =>
  stateOf(key) === 'active' && key.expiresAt !== undefined && key.expiresAt.getTime() - Date.now() <= SOON_MS;

/** Whether it may do everything. */
export const hasFullAccess = ({ scopes }: Pick<ApiKey, 'scopes'>): boolean => scopes.includes(FULL_ACCESS);

/** Whether no request has used it for so many days, or since it was created. */
export const isIdle = ({ lastUsedAt, createdAt }: ApiKey): boolean =>
  Date.now() - (lastUsedAt ?? createdAt).getTime() >= IDLE_DAYS * 86_400_000;

/** Whether no request has used it. Uses are recorded every ten seconds. */
export const isNeverUsed = ({ lastUsedAt }: ApiKey): boolean => lastUsedAt === undefined;

/** Whether the key was rotated, and its replacement is active: it expires as intended. */
export const isReplaced = ({ replacedBy }: ApiKey, keys: readonly ApiKey[]): boolean =>
  replacedBy !== undefined && keys.some((key) => key.id === replacedBy && stateOf(key) === 'active');

/** The command that gives its users a key that lasts. One that was rotated cannot be rotated again. */
export function renewalOf({ id, name, scopes, replacedBy }: ApiKey): string[] {
  if (replacedBy === undefined) return ['keys', 'rotate', id];
  const create = ['keys', 'create', `--name=${name}`];
  return hasFullAccess({ scopes }) ? create : [...create, `--scopes=${scopes.join()}`];
}
