import { IDEMPOTENCY_KEY_LIFETIME_MS } from '../store.ts';
import { tables } from '../tables.ts';
import type { Db } from './pool/connection.ts';
import { defineTable } from './table.ts';

export const resultTable = defineTable(tables.idempotencyKeys);

/** Deletes at most `max` expired keys; returns how many. */
export async function deleteExpired(sql: Db, max: number): Promise<number> {
  const { count } = await sql`
    DELETE FROM idempotency_keys WHERE (owner, key) IN (
      SELECT owner, key FROM idempotency_keys
      WHERE created_at <= now() - ${`${IDEMPOTENCY_KEY_LIFETIME_MS} milliseconds`}::interval
      LIMIT ${max} FOR UPDATE SKIP LOCKED)`;
  return count;
}
