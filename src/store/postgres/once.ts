import { type GenericSchema, parse } from 'valibot';
import { ApiError } from '../../contract/errors.ts';
import { parseJson } from '../../contract/json.ts';
import { type Created, ONCE_LIFETIME_MS, type Once } from '../store.ts';
import { arrayOf } from './arrays.ts';
import type { Db } from './connection.ts';

interface Kept {
  readonly owner: string;
  readonly key: string;
  readonly fingerprint: string;
  readonly result: string;
}

const LIFETIME = `${ONCE_LIFETIME_MS} milliseconds`;

/** What earlier calls with these keys have kept, in the order of `onces`. */
export async function findOnces(sql: Db, onces: readonly Once[]): Promise<(Kept | undefined)[]> {
  const rows = await sql<Kept[]>`
    SELECT owner, key, fingerprint, result FROM idempotency_keys
    JOIN unnest(${arrayOf(onces.map(({ owner }) => owner))}::text[], ${arrayOf(onces.map(({ key }) => key))}::text[])
      AS asked (owner, key) USING (owner, key)
    WHERE created_at > now() - ${LIFETIME}::interval`;
  const found = new Map(rows.map((row) => [JSON.stringify([row.owner, row.key]), row]));
  return onces.map(({ owner, key }) => found.get(JSON.stringify([owner, key])));
}

/** The first result again, for the same request; throws for another one. */
export function replay<T>(once: Once, kept: Kept | undefined, schema: GenericSchema<unknown, T>): Created<T> {
  if (!kept) throw new ApiError('unavailable', 'The Idempotency-Key has just expired. Try again.');
  if (kept.fingerprint !== once.fingerprint) {
    throw new ApiError(
      'idempotency_key_reused',
      'This Idempotency-Key was used for another request. Use a new one.',
    );
  }
  return { value: parse(schema, parseJson(kept.result)), replayed: true };
}

/** Takes the key for the transaction of `sql`, unless it is taken: then false, once its first user has committed. */
export async function claim(sql: Db, { owner, key, fingerprint }: Once): Promise<boolean> {
  const rows = await sql`
    INSERT INTO idempotency_keys AS kept (owner, key, fingerprint, result) VALUES (${owner}, ${key}, ${fingerprint}, '')
    ON CONFLICT (owner, key) DO UPDATE SET fingerprint = excluded.fingerprint, created_at = now()
      WHERE kept.created_at <= now() - ${LIFETIME}::interval
    RETURNING key`;
  return rows.length === 1;
}

export async function keep(sql: Db, { owner, key }: Once, result: string): Promise<void> {
  await sql`UPDATE idempotency_keys SET result = ${result} WHERE owner = ${owner} AND key = ${key}`;
}

/** How many were forgotten: fewer than `most` when none is left. */
export async function forgetExpired(sql: Db, most: number): Promise<number> {
  const { count } = await sql`
    DELETE FROM idempotency_keys WHERE (owner, key) IN (
      SELECT owner, key FROM idempotency_keys WHERE created_at <= now() - ${LIFETIME}::interval
      LIMIT ${most} FOR UPDATE SKIP LOCKED)`;
  return count;
}
