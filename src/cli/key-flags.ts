import { type Flags, UsageError } from '../config.ts';
import { isKeyName, KEY_NAME_RULE, parseScopes, SCOPES_RULE } from '../contract/key.ts';
import { operationScopes, type Scope } from '../contract/scope.ts';
import { DURATION_RULE, durationMs } from '../contract/time.ts';

export const nameFlag = { type: 'string', meaning: 'who uses the key, for example "till 3"' } as const;

export function readKeyName(given: Flags[string]): string | undefined {
  if (given === undefined) return undefined;
  const name = String(given);
  if (!isKeyName(name)) throw new UsageError(`--name ${KEY_NAME_RULE}, for example --name "till 3"`);
  return name;
}

/** The value of `--expires` for a key that works until it is revoked. */
export const NEVER = 'never';

/** When the key expires; null for never. */
export function readExpiry(given: Flags[string]): Date | null | undefined {
  if (given === undefined) return undefined;
  if (given === NEVER) return null;
  const ms = durationMs(String(given));
  if (ms === undefined) throw new UsageError(`--expires ${DURATION_RULE}, or ${NEVER}, not "${given}"`);
  return new Date(Date.now() + ms);
}

export const scopesFlag = {
  type: 'string',
  meaning: `what the key may do, separated by commas: ${operationScopes.join(', ')}. Writing includes reading`,
} as const;

export function readScopes(given: Flags[string]): readonly Scope[] | undefined {
  if (given === undefined) return undefined;
  const words = String(given).split(',');
  const scopes = parseScopes(words.map((scope) => scope.trim()));
  if (!scopes) throw new UsageError(`--scopes ${SCOPES_RULE}, separated by commas`);
  return scopes;
}
