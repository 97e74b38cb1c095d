import { keyNotValid } from '../key.ts';
import { LATEST_TIME } from '../time.ts';

/** What decides whether a key works, and whether it can be replaced. */
interface KeyLifetime {
  readonly createdAt: Date;
  readonly expiresAt?: Date | undefined;
  readonly revokedAt?: Date | undefined;
  readonly replacedBy?: string | undefined;
}

const isActive = ({ revokedAt, expiresAt }: KeyLifetime, now: Date): boolean =>
  !revokedAt && (!expiresAt || expiresAt > now);

/** Throws unless the key that asks for a change of keys is active: services accept a revoked one for up to a second more. */
export function assertMayAct(actingKey: KeyLifetime | undefined, now: Date): void {
  if (!actingKey || !isActive(actingKey, now)) throw keyNotValid();
}

interface Rotation {
  readonly lifetimeMs?: number | undefined;
  readonly overlapMs: number;
}

/** Until when the key that replaces this one is valid, and until when this one still is; undefined if it cannot be replaced. */
export function rotateKey(
  key: KeyLifetime,
  { lifetimeMs, overlapMs }: Rotation,
  now: Date,
): { readonly created: Date | undefined; readonly replaced: Date } | undefined {
  if (key.replacedBy !== undefined || !isActive(key, now)) return undefined;
  const validMs = lifetimeMs ?? (key.expiresAt && key.expiresAt.getTime() - key.createdAt.getTime());
  const overlap = after(now, overlapMs);
  return {
    created: validMs === undefined ? undefined : after(now, validMs),
    replaced: key.expiresAt && key.expiresAt < overlap ? key.expiresAt : overlap,
  };
}

const after = (time: Date, ms: number): Date =>
  new Date(Math.min(time.getTime() + ms, LATEST_TIME.getTime()));
