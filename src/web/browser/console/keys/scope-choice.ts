import type { KeyScope } from '../../../../client/index.ts';
import { allows, type Permission } from '../data/permissions.ts';

const EVERYTHING = '*';

/** What a key can be allowed to do, in the order of the page. */
const permissions = [
  'pets:read',
  'pets:write',
  'store:read',
  'store:write',
  'events:read',
  'metrics:read',
  'keys:read',
  'keys:write',
] as const satisfies Permission[];

export type Choice = ReadonlySet<KeyScope>;

/** What a key with these scopes can give to a new one. Who manages keys sees them. */
export const offeredBy = (scopes: readonly KeyScope[]): readonly KeyScope[] => [
  ...permissions.filter((permission) => permission !== 'keys:read' && allows(scopes, permission)),
  ...(scopes.includes(EVERYTHING) ? ([EVERYTHING] as const) : []),
];

/** Everything that these scopes allow, each of which can be taken away. */
export const includedIn = (scopes: readonly KeyScope[]): readonly KeyScope[] => [
  ...(scopes.includes(EVERYTHING) ? ([EVERYTHING] as const) : []),
  ...permissions.filter((permission) => allows(scopes, permission)),
];

export const isChosen = (choice: Choice, scope: KeyScope): boolean =>
  choice.has(EVERYTHING) || choice.has(scope);

/** Ticks a scope, or takes the tick away. Writing includes reading, and everything includes all of the options. */
export function toggle(choice: Choice, scope: KeyScope, options: readonly KeyScope[]): Choice {
  const single = choice.has(EVERYTHING) && scope !== EVERYTHING ? new Set(options) : choice;
  const next = new Set(single);
  if (scope !== EVERYTHING) next.delete(EVERYTHING);
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
  choice.has(EVERYTHING) ? [EVERYTHING] : [...choice];
