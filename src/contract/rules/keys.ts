import { ApiError } from '../errors.ts';
import type { Author } from '../event.ts';
import { insufficientScope, isConfigured, type KeyUpdate, keyNotFound, keyNotValid } from '../key.ts';
import { permissionsOf, type Scope } from '../scope.ts';
import { LATEST_TIME } from '../time.ts';

/** The fields of a stored key that its rules read, and those that a change records. */
export interface StoredKey {
  readonly id: string;
  readonly name: string;
  /** `*` alone means full access. */
  readonly scopes: readonly Scope[];
  readonly createdAt: Date;
  readonly expiresAt?: Date | undefined;
  readonly revokedAt?: Date | undefined;
  /** The id of the key that a rotation created in its place. */
  readonly replacedBy?: string | undefined;
  /** The ids of the keys that created, changed, rotated and revoked this one; absent for the command line. */
  readonly createdBy?: string | undefined;
  readonly changedBy?: string | undefined;
  readonly rotatedBy?: string | undefined;
  readonly revokedBy?: string | undefined;
}

/** Who changes keys, and when. */
export interface Actor {
  readonly by: Author | undefined;
  /**
   * The key of the author as it is stored; undefined if there is no such key. Null for the command line and for a key of the
   * configuration, which may do everything.
   */
  readonly key: StoredKey | null | undefined;
  readonly now: Date;
}

/** Whether an author has a stored key. The other authors may do everything: the command line and configured keys. */
export const hasStoredKey = (by: Author | undefined): by is Author =>
  by !== undefined && !isConfigured(by.keyId);

/** Why a key does not work, if it does not. */
export function inactive({ revokedAt, expiresAt }: StoredKey, now: Date): 'revoked' | 'expired' | undefined {
  if (revokedAt) return 'revoked';
  return expiresAt && expiresAt <= now ? 'expired' : undefined;
}

/** The scope that every change of a key needs. */
const NEEDED = 'keys:write';

/** Services accept a revoked or narrowed key for up to a second more. This check keeps it from changing keys meanwhile. */
function assertActive({ key, now }: Actor): void {
  if (key === null) return;
  if (!key) throw keyNotValid({ refused: 'unknown' });
  const refused = inactive(key, now);
  if (refused) throw keyNotValid({ refused, keyId: key.id });
  if (!permissionsOf(key.scopes).has(NEEDED))
    throw insufficientScope([NEEDED], `This API key lacks the scope ${NEEDED}.`);
}

/** Without this check, a key could give itself what it lacks, by way of another key. */
function assertHasScopes({ key }: Actor, scopes: readonly Scope[]): void {
  if (!key) return;
  const permissions = permissionsOf(key.scopes);
  const missing = scopes.filter((scope) => !permissions.has(scope));
  if (missing.length > 0)
    throw insufficientScope(
      missing,
      `This API key lacks ${missing.join(', ')}: it can create, change, rotate and revoke only keys whose scopes it has.`,
    );
}

function assertMayChange<K extends StoredKey>(key: K | undefined, actor: Actor): K {
  assertActive(actor);
  if (!key) throw keyNotFound();
  assertHasScopes(actor, key.scopes);
  return key;
}

/** The key to store. */
export function createKey<K extends Pick<StoredKey, 'scopes'>>(key: K, actor: Actor) {
  assertActive(actor);
  assertHasScopes(actor, key.scopes);
  return { ...key, createdAt: actor.now, createdBy: actor.by?.keyId };
}

/** The revoked key. One that is already revoked stays as it is. */
export function revokeKey<K extends StoredKey>(found: K | undefined, actor: Actor): K {
  const key = assertMayChange(found, actor);
  return key.revokedAt ? key : { ...key, revokedAt: actor.now, revokedBy: actor.by?.keyId };
}

/** The key with these changes; the same if there are none. Only a key that works can be changed: none comes back to life. */
export function updateKey<K extends StoredKey>(found: K | undefined, changes: KeyUpdate, actor: Actor): K {
  const key = assertMayChange(found, actor);
  const state = inactive(key, actor.now);
  if (state) throw notActive(`The key is ${state}: create a new one.`);
  const { name = key.name, scopes = key.scopes, expiresAt = key.expiresAt } = changes;
  assertHasScopes(actor, scopes);
  const changed = { ...key, name, scopes, expiresAt: expiresAt ?? undefined, changedBy: actor.by?.keyId };
  return isSame(key, changed) ? key : changed;
}

const isSame = (a: StoredKey, b: StoredKey): boolean =>
  a.name === b.name &&
  a.scopes.join() === b.scopes.join() &&
  a.expiresAt?.getTime() === b.expiresAt?.getTime();

export interface Rotation {
  readonly digest: string;
  /** How long the new key is valid; unless given, the time from the creation of the old one to its expiry as it is now. At most until `LATEST_TIME`. */
  readonly lifetimeMs?: number | undefined;
  /** How long the old key remains valid. */
  readonly overlapMs: number;
}

/** The key that replaces this one, and this one as it is once the other has an id. */
export function rotateKey<K extends StoredKey>(
  found: K | undefined,
  { digest, lifetimeMs, overlapMs }: Rotation,
  actor: Actor,
) {
  const old = assertMayChange(found, actor);
  const { now, by } = actor;
  const { name, scopes, expiresAt, createdAt } = old;
  const state = inactive(old, now);
  if (old.replacedBy !== undefined && state !== 'revoked')
    throw notActive(`The key was replaced by key ${old.replacedBy}: rotate that one.`);
  if (state) throw notActive(`The key is ${state}: create a new one.`);
  const validMs = lifetimeMs ?? (expiresAt && expiresAt.getTime() - createdAt.getTime());
  const overlap = after(now, overlapMs);
  return {
    created: {
      name,
      digest,
      scopes,
      createdAt: now,
      expiresAt: validMs === undefined ? undefined : after(now, validMs),
      createdBy: by?.keyId,
    },
    replaced: (replacedBy: string): K => ({
      ...old,
      expiresAt: expiresAt && expiresAt < overlap ? expiresAt : overlap,
      replacedBy,
      rotatedBy: by?.keyId,
    }),
  };
}

const notActive = (message: string): ApiError => new ApiError('key_not_active', message);

const after = (time: Date, ms: number): Date =>
  new Date(Math.min(time.getTime() + ms, LATEST_TIME.getTime()));
