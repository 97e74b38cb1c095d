import { INT64_MAX } from '../../contract/int64.ts';
import { keyNotValid } from '../../contract/key.ts';
import { LATEST_TIME } from '../../contract/time.ts';
import type {
  ApiKey,
  FirstApiKey,
  KeyChanges,
  KeyQuery,
  KeyRotation,
  KeyUse,
  NewApiKey,
  RefusedRotation,
  RotatedKey,
} from '../store.ts';
import { count, rowIdOf } from '../table.ts';
import { tables } from '../tables.ts';
import { allRowsOf, type TextRow } from './all-rows.ts';
import type { Db } from './pool/connection.ts';
import { arrayOf, defineTable } from './table.ts';

export const keyTable = defineTable(tables.keys);

const { readAll } = allRowsOf(keyTable);

export async function listKeys(sql: Db): Promise<ApiKey[]> {
  return readAll(sql, keyTable.select, [], 'id');
}

export async function listNewestKeys(sql: Db, { limit, from }: KeyQuery): Promise<ApiKey[]> {
  const newest = `${keyTable.select} WHERE id <= $1::int8 ORDER BY id DESC LIMIT $2::int8`;
  return readAll(sql, newest, [from?.id ?? INT64_MAX, limit], 'id DESC');
}

export async function getKey(sql: Db, id: string): Promise<ApiKey | undefined> {
  const [row] = await sql`SELECT * FROM api_keys WHERE id = ${rowIdOf(id) ?? null}`;
  return row && keyTable.fromRow(row);
}

/** Of a key that is neither revoked nor expired. */
const ACTIVE = 'revoked_at IS NULL AND coalesce(expires_at > now(), true)';

/** The lock lets a revocation of the acting key wait, or lets this statement see it. */
export async function createKey(
  sql: Db,
  { name, digest, scopes, expiresAt }: NewApiKey,
  actingKey?: string,
): Promise<ApiKey> {
  const [row] = await sql`
    WITH acting AS MATERIALIZED (
      SELECT FROM api_keys WHERE id = ${rowIdOf(actingKey ?? '') ?? null} AND ${sql.unsafe(ACTIVE)} FOR SHARE
    )
    INSERT INTO api_keys (name, digest, scopes, expires_at)
    SELECT ${name}, ${digest}, ${scopes.join(' ')}, ${expiresAt ?? null}::timestamptz
    WHERE ${actingKey === undefined} OR EXISTS (SELECT FROM acting) RETURNING *`;
  if (!row) throw keyNotValid();
  return keyTable.fromRow(row);
}

export async function createFirstKey(sql: Db, { name, digest }: FirstApiKey): Promise<ApiKey | undefined> {
  const [row] = await sql`SELECT * FROM create_first_key(${name}, ${digest})`;
  return row && keyTable.fromRow(row);
}

export async function revokeKey(sql: Db, id: string): Promise<ApiKey | undefined> {
  const [row] = await sql`
    UPDATE api_keys SET revoked_at = coalesce(revoked_at, now()) WHERE id = ${rowIdOf(id) ?? null} RETURNING *`;
  return row && keyTable.fromRow(row);
}

/**
 * One statement, so that both keys change or neither. Concurrent rotations wait for the locks, and then find that the key was
 * replaced. It locks the acting key as well, both in the order of their ids, so that two rotations never deadlock. None of the reasons
 * to refuse ever goes away, so the second statement sees the one that the first has seen.
 */
export async function rotateKey(
  sql: Db,
  id: string,
  { digest, lifetimeMs, overlapMs }: KeyRotation,
  actingKey?: string,
): Promise<RotatedKey | RefusedRotation | undefined> {
  const [wanted, acting] = [rowIdOf(id) ?? null, rowIdOf(actingKey ?? '') ?? null];
  const active = sql.unsafe(ACTIVE);
  const rows = await sql`
    WITH locked AS MATERIALIZED (
      SELECT * FROM api_keys WHERE id IN (${wanted}, ${acting}) ORDER BY id FOR UPDATE
    ), old AS MATERIALIZED (
      SELECT * FROM locked WHERE id = ${wanted} AND replaced_by IS NULL AND ${active}
        AND (${actingKey === undefined} OR EXISTS (SELECT FROM locked WHERE id = ${acting} AND ${active}))
    ), created AS (
      INSERT INTO api_keys (name, digest, scopes, expires_at)
      SELECT name, ${digest}, scopes, CASE WHEN lifetime IS NOT NULL THEN least(now() + lifetime, ${LATEST_TIME}) END
      FROM old, coalesce(${lifetimeMs ?? null}::int8 * interval '1 ms', expires_at - created_at) AS lifetime RETURNING *
    ), replaced AS (
      UPDATE api_keys
      SET expires_at = least(old.expires_at, now() + ${overlapMs}::int8 * interval '1 ms'), replaced_by = created.id
      FROM old, created WHERE api_keys.id = old.id RETURNING api_keys.*
    )
    SELECT * FROM replaced UNION ALL SELECT * FROM created`;
  const [replaced, created] = rows.map(keyTable.fromRow);
  if (replaced && created) return { replaced, created };
  if (actingKey !== undefined) {
    const [key] = await sql`SELECT FROM api_keys WHERE id = ${acting} AND ${active}`;
    if (!key) throw keyNotValid();
  }
  const refused = await getKey(sql, id);
  return refused && { refused };
}

const RECORD_USE = `
  WITH locked AS MATERIALIZED (SELECT id FROM api_keys WHERE id = ANY ($1::int8[]) ORDER BY id FOR UPDATE)
  UPDATE api_keys SET last_used_at = greatest(last_used_at, at)
  FROM locked JOIN unnest($1::int8[], $2::timestamptz[]) AS used (used_id, at) ON used_id = locked.id
  WHERE api_keys.id = locked.id`;

/** Locks the rows in the order of their ids, so that two instances never deadlock. */
export async function recordKeyUse(sql: Db, uses: readonly KeyUse[]): Promise<void> {
  const stored = uses.filter(({ id }) => rowIdOf(id) !== undefined);
  const values = [arrayOf(stored.map(({ id }) => id)), arrayOf(stored.map(({ at }) => at))];
  await sql.unsafe(RECORD_USE, values, { prepare: true });
}

const changeTable = defineTable<KeyChanges['keys'][number]>({
  ...tables.keys,
  columns: { ...tables.keys.columns, change: count('change') },
});
const { inOne, itemsOf } = allRowsOf(changeTable);

const CHANGES = `
  SELECT all_rows, removals, (SELECT coalesce(max(change), 0) FROM api_keys) AS latest, clock_timestamp() AS now
  FROM key_removals
  CROSS JOIN (${inOne(`${changeTable.select} WHERE change > $1 ORDER BY change LIMIT $2`, 'change')}) AS changed`;

export async function listKeyChanges(sql: Db, after: number, limit: number): Promise<KeyChanges> {
  const rows: unknown = await sql.unsafe(CHANGES, [after, limit], { prepare: true }).values();
  const [[changed, removals, latest, now]] = rows as [[TextRow[] | null, bigint, bigint, Date]];
  return { keys: itemsOf(changed), latest: Number(latest), removals: Number(removals), now };
}
