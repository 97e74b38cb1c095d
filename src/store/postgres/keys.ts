import type { Row } from 'postgres';
import type { ApiKey, KeyUse, NewApiKey } from '../store.ts';
import { arrayOf } from './arrays.ts';
import type { Db } from './connection.ts';

export async function listKeys(sql: Db): Promise<ApiKey[]> {
  return (await sql`SELECT * FROM api_keys ORDER BY id`).map(keyOf);
}

export async function createKey(sql: Db, { name, digest, expiresAt }: NewApiKey): Promise<ApiKey> {
  const [row] = await sql`
    INSERT INTO api_keys (name, digest, expires_at) VALUES (${name}, ${digest}, ${expiresAt ?? null}) RETURNING *`;
  return keyOf(row as Row);
}

export async function createFirstKey(sql: Db, { name, digest }: NewApiKey): Promise<ApiKey | undefined> {
  const [row] = await sql`SELECT * FROM create_first_key(${name}, ${digest})`;
  return row && keyOf(row);
}

export async function revokeKey(sql: Db, id: string): Promise<ApiKey | undefined> {
  const [row] = await sql`
    UPDATE api_keys SET revoked_at = coalesce(revoked_at, now()) WHERE id::text = ${id} RETURNING *`;
  return row && keyOf(row);
}

/** Rows are locked in the order of their ids, so that no two instances wait for each other. */
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

export function keyOf(row: Row): ApiKey {
  return {
    id: String(row.id),
    name: row.name,
    digest: row.digest,
    createdAt: row.created_at,
    expiresAt: row.expires_at ?? undefined,
    revokedAt: row.revoked_at ?? undefined,
    lastUsedAt: row.last_used_at ?? undefined,
  };
}
