import type { Kept } from '../once.ts';
import { ONCE_LIFETIME_MS, type Once } from '../store.ts';
import { arrayOf } from './arrays.ts';
import type { Db } from './connection.ts';

/** How long a key is kept, as an interval. */
export const LIFETIME = `${ONCE_LIFETIME_MS} milliseconds`;

/** What the first calls with these keys have kept, in the order of `onces`. */
export async function findOnces(sql: Db, onces: readonly Once[]): Promise<(Kept | undefined)[]> {
  const rows = await sql<(Kept & { owner: string; key: string })[]>`
    SELECT owner, key, fingerprint, result FROM idempotency_keys
    JOIN unnest(${arrayOf(onces.map(({ owner }) => owner))}::text[], ${arrayOf(onces.map(({ key }) => key))}::text[])
      AS asked (owner, key) USING (owner, key)
    WHERE created_at > now() - ${LIFETIME}::interval`;
  const found = new Map(rows.map((row) => [JSON.stringify([row.owner, row.key]), row]));
  return onces.map(({ owner, key }) => found.get(JSON.stringify([owner, key])));
}

/** How many were forgotten: fewer than `most` when none is left. */
export async function forgetExpired(sql: Db, most: number): Promise<number> {
  const { count } = await sql`
    DELETE FROM idempotency_keys WHERE (owner, key) IN (
      SELECT owner, key FROM idempotency_keys WHERE created_at <= now() - ${LIFETIME}::interval
      LIMIT ${most} FOR UPDATE SKIP LOCKED)`;
  return count;
}
