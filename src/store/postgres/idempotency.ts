import type { GenericSchema } from 'valibot';
import { replay, type StoredResult } from '../replay.ts';
import { type Created, IDEMPOTENCY_KEY_LIFETIME_MS, type IdempotencyKey } from '../store.ts';
import { tables } from '../tables.ts';
import { allRowsOf } from './all-rows.ts';
import { keyExpired } from './errors.ts';
import { insertEvents, type NewEvent, newEventArrays } from './events.ts';
import type { Db } from './pool/connection.ts';
import { arrayOf, type ColumnArrays, defineTable } from './table.ts';

export const resultTable = defineTable(tables.idempotencyKeys);

/** How long a key is stored, as a PostgreSQL interval. */
export const LIFETIME = `${IDEMPOTENCY_KEY_LIFETIME_MS} milliseconds`;

const { readAll } = allRowsOf(resultTable);
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

/** How the result of a create is stored and read again. */
interface ResultText<T> {
  readonly schema: GenericSchema<unknown, T>;
  readonly json: string;
}

/** Inserts rows and events and stores their idempotency key with the result, in one statement; or nothing, if the key was used before. */
export async function insertOnce<T>(
  sql: Db,
  { list, placeholders, values }: ColumnArrays,
  table: string,
  value: T,
  { schema, json }: ResultText<T>,
  events: readonly NewEvent[],
  idempotencyKey?: IdempotencyKey,
): Promise<Created<T>> {
  const { owner = null, key = null, fingerprint = null } = idempotencyKey ?? {};
  const [byOwner, byKey, byFingerprint, result] = [1, 2, 3, 4].map((n) => `$${values.length + n}::text`);
  const given = newEventArrays(events, values.length + 4);
  const statement = `
    WITH claimed AS (
      INSERT INTO idempotency_keys AS stored (owner, key, fingerprint, result)
      SELECT ${byOwner}, ${byKey}, ${byFingerprint}, ${result} WHERE ${byKey} IS NOT NULL
      ON CONFLICT (owner, key) DO UPDATE
        SET fingerprint = excluded.fingerprint, result = excluded.result, created_at = now()
        WHERE stored.created_at <= now() - '${LIFETIME}'::interval
      RETURNING key
    ), inserted AS (
      INSERT INTO ${table} (${list}) SELECT * FROM unnest(${placeholders})
      WHERE ${byKey} IS NULL OR EXISTS (SELECT FROM claimed) RETURNING id
    ), recorded AS (
      ${insertEvents(given.columns, `${given.rows} WHERE EXISTS (SELECT FROM inserted)`)}
    )
    SELECT count(*) > 0 AS added FROM inserted`;
  const all = [...values, owner, key, fingerprint, json, ...given.values];
  const [row] = await sql.unsafe(statement, all, { prepare: true });
  if (row?.added) return { value, replayed: false };
  return firstResult(sql, idempotencyKey, schema);
}

/** The result of the first call with this key, for a call that has found it used. */
export async function firstResult<T>(
  sql: Db,
  idempotencyKey: IdempotencyKey | undefined,
  schema: GenericSchema<unknown, T>,
): Promise<Created<T>> {
  const [stored] = idempotencyKey ? await findResults(sql, [idempotencyKey]) : [];
  if (!idempotencyKey || !stored) throw keyExpired();
  return replay(idempotencyKey, stored, schema);
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
