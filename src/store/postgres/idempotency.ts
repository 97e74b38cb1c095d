import type { StoredResult } from '../replay.ts';
import { IDEMPOTENCY_KEY_LIFETIME_MS, type IdempotencyKey } from '../store.ts';
import { arrayOf } from './arrays.ts';
import type { Db } from './connection.ts';
import { packingOf } from './packed.ts';
import { date, defineTable, text } from './table.ts';

export const resultTable = defineTable<StoredResult>('idempotency_keys', {
  owner: text('owner'),
  key: text('key'),
  fingerprint: text('fingerprint'),
  result: text('result'),
  createdAt: date('created_at'),
});

/** How long a key is stored, as a PostgreSQL interval. */
export const LIFETIME = `${IDEMPOTENCY_KEY_LIFETIME_MS} milliseconds`;

const { readAll } = packingOf(resultTable);
const FIND = `
  SELECT ${resultTable.list} FROM idempotency_keys
  JOIN unnest($1::text[], $2::text[]) AS given (owner, key) USING (owner, key)
  WHERE created_at > now() - '${LIFETIME}'::interval`;

/** The stored result of each key, in the order of `keys`; undefined for a key that is unused or expired. */
export async function findResults(
  sql: Db,
  keys: readonly IdempotencyKey[],
): Promise<(StoredResult | undefined)[]> {
  const found = await readAll(sql, FIND, [
    arrayOf(keys.map(({ owner }) => owner)),
    arrayOf(keys.map(({ key }) => key)),
  ]);
  const results = new Map(found.map((result) => [nameOf(result), result]));
  return keys.map((key) => results.get(nameOf(key)));
}

const nameOf = ({ owner, key }: IdempotencyKey): string => JSON.stringify([owner, key]);

/** Deletes at most `max` expired keys; returns how many. */
export async function deleteExpired(sql: Db, max: number): Promise<number> {
  const { count } = await sql`
    DELETE FROM idempotency_keys WHERE (owner, key) IN (
      SELECT owner, key FROM idempotency_keys WHERE created_at <= now() - ${LIFETIME}::interval
      LIMIT ${max} FOR UPDATE SKIP LOCKED)`;
  return count;
}
