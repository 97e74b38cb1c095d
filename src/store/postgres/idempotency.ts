import { IDEMPOTENCY_KEY_LIFETIME_MS } from '../store.ts';
import { tables } from '../tables.ts';
import type { Db } from './pool/connection.ts';
import { defineTable } from './table.ts';

export const resultTable = defineTable(tables.idempotencyKeys);

/** Deletes at most `max` expired keys; returns how many. */
export async function deleteExpired(sql: Db, max: number): Promise<number> {
  const deleted = await sql.query(`
    DELETE FROM idempotency_keys WHERE (owner, key) IN (
      SELECT owner, key FROM idempotency_keys
      WHERE created_at <= now() - interval '${IDEMPOTENCY_KEY_LIFETIME_MS} milliseconds'
      LIMIT ${max} FOR UPDATE SKIP LOCKED) RETURNING true`);
  return deleted.length;
}
