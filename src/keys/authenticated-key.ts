import type { Author } from '../contract/event.ts';
import { configuredId } from '../contract/key.ts';
import { FULL_ACCESS, type Permissions, permissionsOf, type Scope } from '../contract/scope.ts';

/** The API key of an accepted request. */
export interface AuthenticatedKey {
  /** See `configuredId` for a key of `API_KEYS`. */
  readonly id: string;
  /** A key of `API_KEYS` has its id as its name. */
  readonly name: string;
  /** `*` alone: everything. */
  readonly scopes: readonly Scope[];
  /** What the scopes allow. */
  readonly permissions: Permissions;
  readonly expiresAt?: Date | undefined;
  /**
   * Who makes the changes of its requests. One object per key, because the writes of a batch go to another thread together, where an object
   * that occurs again costs next to nothing.
   */
  readonly author: Author;
}

/** A key of `API_KEYS`, by its digest. */
export function configuredKey(digest: string): AuthenticatedKey {
  const id = configuredId(digest);
  const scopes = [FULL_ACCESS] as const;
  return { id, name: id, scopes, permissions: permissionsOf(scopes), author: { keyId: id, keyName: id } };
}
