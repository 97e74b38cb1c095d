import { type Flags, UsageError } from '../config.ts';
import { isKeyName, KEY_NAME_RULE, parseScopes, SCOPES_RULE } from '../contract/key.ts';
import { operationScopes, type Scope } from '../contract/scope.ts';

export const nameFlag = { type: 'string', meaning: 'who uses the key, for example "till 3"' } as const;

export function readKeyName(given: Flags[string]): string | undefined {
  if (given === undefined) return undefined;
  const name = String(given);
  if (!isKeyName(name)) throw new UsageError(`--name ${KEY_NAME_RULE}, for example --name "till 3"`);
  return name;
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
