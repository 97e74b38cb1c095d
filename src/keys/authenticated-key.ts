import type { Scope } from '../contract/scope.ts';
import type { Permissions } from './permissions.ts';

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
