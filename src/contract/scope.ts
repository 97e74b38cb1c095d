/** What a key can be allowed to do. Each operation requires one of them. */
export const operationScopes = [
  'pets:read',
  'pets:write',
  'store:read',
  'store:write',
  'events:read',
  'metrics:read',
  'keys:read',
  'keys:write',
] as const;
type OperationScope = (typeof operationScopes)[number];

/** What the API key of a request needs: a scope, or `any` if every valid key will do. */
export type RequiredScope = OperationScope | 'any';

/** Everything, including what later versions add. */
export const FULL_ACCESS = '*';

/** What a key has: some scopes, or `*` alone. */
export const scopes = [FULL_ACCESS, ...operationScopes] as const;
export type Scope = (typeof scopes)[number];

/** Everything that the scopes of a key allow: `*` is all of them, and writing includes reading. */
export type Permissions = ReadonlySet<Scope>;

/** Keys with the same scopes share one set. */
const shared = new Map<string, Permissions>();

export function permissionsOf(granted: readonly Scope[]): Permissions {
  const text = granted.join(' ');
  let permissions = shared.get(text);
  if (!permissions) {
    permissions = new Set(scopes.filter((scope) => granted.some((given) => includes(given, scope))));
    shared.set(text, permissions);
  }
  return permissions;
}

const includes = (given: Scope, scope: Scope): boolean =>
  given === FULL_ACCESS || given === scope || given.replace(/:write$/, ':read') === scope;
