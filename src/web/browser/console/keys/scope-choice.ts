import type { KeyScope } from '../../../../client/index.ts';
import { FULL_ACCESS, operationScopes } from '../../../../contract/scope.ts';
import { allows } from '../data/permissions.ts';

export type Choice = ReadonlySet<KeyScope>;

/** What a key with these scopes can give to a new one. Who manages keys sees them. */
export const offeredBy = (scopes: readonly KeyScope[]): readonly KeyScope[] => [
  ...operationScopes.filter((permission) => permission !== 'keys:read' && allows(scopes, permission)),
  ...(scopes.includes(FULL_ACCESS) ? ([FULL_ACCESS] as const) : []),
];

/** Everything that these scopes allow, each of which can be taken away. */
export const includedIn = (scopes: readonly KeyScope[]): readonly KeyScope[] => [
  ...(scopes.includes(FULL_ACCESS) ? ([FULL_ACCESS] as const) : []),
  ...operationScopes.filter((permission) => allows(scopes, permission)),
];

export const isChosen = (choice: Choice, scope: KeyScope): boolean =>
  choice.has(FULL_ACCESS) || choice.has(scope);

/** Ticks a scope, or takes the tick away. Writing includes reading, and everything includes all of the options. */
export function toggle(choice: Choice, scope: KeyScope, options: readonly KeyScope[]): Choice {
  const single = choice.has(FULL_ACCESS) && scope !== FULL_ACCESS ? new Set(options) : choice;
  const next = new Set(single);
  if (scope !== FULL_ACCESS) next.delete(FULL_ACCESS);
  const [read, write] = [scope.replace(':write', ':read'), scope.replace(':read', ':write')];
  if (next.delete(scope)) {
    if (scope === read) next.delete(write as KeyScope);
  } else {
    next.add(scope);
    if (scope === write && options.includes(read as KeyScope)) next.add(read as KeyScope);
  }
  return next;
}

/** The scopes to send. */
export const scopesOf = (choice: Choice): readonly KeyScope[] =>
  choice.has(FULL_ACCESS) ? [FULL_ACCESS] : [...choice];
