import type { Row } from 'postgres';
import type { ApiKey, KeyRotation, KeyUse, NewApiKey, RotatedKey } from '../store.ts';
import { arrayOf } from './arrays.ts';
import type { Db } from './connection.ts';
import { packingOf } from './packed.ts';
import { date, defineTable, nullable, text, textId } from './table.ts';

export const keyTable = defineTable<ApiKey>('api_keys', {
  id: textId('id'),
  name: text('name'),
  digest: text('digest'),
  createdAt: date('created_at'),
  expiresAt: nullable(date('expires_at')),
  revokedAt: nullable(date('revoked_at')),
  lastUsedAt: nullable(date('last_used_at')),
});

const { readAll } = packingOf(keyTable);

export async function listKeys(sql: Db): Promise<ApiKey[]> {
  return readAll(sql, `${keyTable.select} ORDER BY id`);
}

export async function createKey(sql: Db, { name, digest, expiresAt }: NewApiKey): Promise<ApiKey> {
  const [row] = await sql`
    INSERT INTO api_keys (name, digest, expires_at) VALUES (${name}, ${digest}, ${expiresAt ?? null}) RETURNING *`;
  return keyTable.fromRow(row as Row);
}

export async function createFirstKey(sql: Db, { name, digest }: NewApiKey): Promise<ApiKey | undefined> {
  const [row] = await sql`SELECT * FROM create_first_key(${name}, ${digest})`;
  return row && keyTable.fromRow(row);
}

/** Compares the id as text, because an id in another spelling (01, 1.0) is not the id of any key. */
export async function revokeKey(sql: Db, id: string): Promise<ApiKey | undefined> {
  const [row] = await sql`
    UPDATE api_keys SET revoked_at = coalesce(revoked_at, now()) WHERE id::text = ${id} RETURNING *`;
  return row && keyTable.fromRow(row);
}

/** One statement, so that both keys change or neither. */
export async function rotateKey(
  sql: Db,
  id: string,
  { digest, expiresAt, replacedExpiresAt }: KeyRotation,
): Promise<RotatedKey | undefined> {
  const rows = await sql`
    WITH replaced AS (
      UPDATE api_keys SET expires_at = least(expires_at, ${replacedExpiresAt})
      WHERE id::text = ${id} AND revoked_at IS NULL AND coalesce(expires_at > now(), true) RETURNING *
    ), created AS (
      INSERT INTO api_keys (name, digest, expires_at)
      SELECT name, ${digest}, ${expiresAt ?? null}::timestamptz FROM replaced RETURNING *
    )
    SELECT * FROM replaced UNION ALL SELECT * FROM created`;
  const keys = rows.map(keyTable.fromRow);
  const replaced = keys.find((key) => key.id === id);
  const created = keys.find((key) => key.id !== id);
  return created && replaced && { created, replaced };
}

/** Locks the rows in the order of their ids, so that two instances never deadlock. */
export async function recordKeyUse(sql: Db, uses: readonly KeyUse[]): Promise<void> {
  const ids = arrayOf(uses.map(({ id }) => id));
  await sql`
    WITH locked AS MATERIALIZED (
      SELECT id FROM api_keys WHERE id::text = ANY (${ids}::text[]) ORDER BY id FOR UPDATE
    )
    UPDATE api_keys SET last_used_at = greatest(last_used_at, at)
    FROM locked JOIN unnest(${ids}::text[], ${arrayOf(uses.map(({ at }) => at))}::timestamptz[]) AS used (used_id, at)
      ON used_id = locked.id::text
    WHERE api_keys.id = locked.id`;
}
