import { IDEMPOTENCY_KEY_LIFETIME_MS } from '../store.ts';
import { tables } from '../tables.ts';
import type { Db } from './pool/connection.ts';
import { defineTable } from './table.ts';
import { isAlone } from './writer/locks.ts';

export const resultTable = defineTable(tables.idempotencyKeys);

const DELETE = `
  WITH deleted AS (
    DELETE FROM idempotency_keys WHERE (owner, key) IN (
      SELECT owner, key FROM idempotency_keys
      WHERE ${isAlone('idempotency_keys')} AND created_at >= $1::text::timestamptz AND created_at <= now() - $2::interval
      ORDER BY created_at LIMIT $3::int8 FOR UPDATE SKIP LOCKED)
    RETURNING created_at)
  SELECT count(*), coalesce(max(created_at), '-infinity') FROM deleted`;

/** Deletes at most `max` expired keys; returns how many. `from` is where it goes on. */
export async function deleteExpired(sql: Db, from: { key: string }, max: number): Promise<number> {
  const lifetime = `${IDEMPOTENCY_KEY_LIFETIME_MS} milliseconds`;
  const [row] = await sql.query(DELETE, [from.key, lifetime, max]);
  from.key = row?.[1] ?? '-infinity';
  return Number(row?.[0]);
}
