import { FULL_ACCESS, type Scope, scopes } from '../contract/scope.ts';

/** The API key of an accepted request. */
export interface AuthenticatedKey {
  /** That of a key in `API_KEYS` begins with `env-`. */
  readonly id: string;
  /** That of a key in `API_KEYS` is its id. */
  readonly name: string;
  /** `*` alone: everything. */
  readonly scopes: readonly Scope[];
  /** What the scopes allow. */
  readonly permissions: Permissions;
  readonly expiresAt?: Date | undefined;
}

/** The id that a key has in the store; undefined for one in `API_KEYS`, which is not stored. */
export const storedId = ({ id }: AuthenticatedKey): string | undefined =>
  id.startsWith('env-') ? undefined : id;

/** Everything that the scopes of a key allow: `*` is all of them, and writing includes reading. */
type Permissions = ReadonlySet<Scope>;

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
