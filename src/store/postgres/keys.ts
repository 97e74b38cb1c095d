import type { Row } from 'postgres';
import type { ApiKey, KeyUse, NewApiKey } from '../store.ts';
import { arrayOf } from './arrays.ts';
import type { Db, Pool } from './connection.ts';

/** Serializes those who want to be first. */
const FIRST_KEY_LOCK = 0x46495253;

export async function listKeys(sql: Db): Promise<ApiKey[]> {
  return (await sql`SELECT * FROM api_keys ORDER BY id`).map(keyOf);
}

export async function createKey(sql: Db, { name, digest, expiresAt }: NewApiKey): Promise<ApiKey> {
  const [row] = await sql`
    INSERT INTO api_keys (name, digest, expires_at) VALUES (${name}, ${digest}, ${expiresAt ?? null}) RETURNING *`;
  return keyOf(row as Row);
}

export async function createFirstKey(sql: Pool, key: NewApiKey): Promise<ApiKey | undefined> {
  return sql.begin(async (tx) => {
    await tx`SELECT pg_advisory_xact_lock(${FIRST_KEY_LOCK})`;
    const [{ unused } = { unused: false }] = await tx`
      SELECT NOT EXISTS (SELECT FROM api_keys) AND NOT EXISTS (SELECT FROM pets) AS unused`;
    return unused ? createKey(tx, key) : undefined;
  });
}

export async function revokeKey(sql: Db, id: string): Promise<ApiKey | undefined> {
  const [row] = await sql`
    UPDATE api_keys SET revoked_at = coalesce(revoked_at, now()) WHERE id::text = ${id} RETURNING *`;
  return row && keyOf(row);
}

export async function recordKeyUse(sql: Db, uses: readonly KeyUse[]): Promise<void> {
  await sql`
    UPDATE api_keys SET last_used_at = greatest(last_used_at, at)
    FROM unnest(${arrayOf(uses.map(({ id }) => id))}::text[], ${arrayOf(uses.map(({ at }) => at))}::timestamptz[])
      AS used (used_id, at)
    WHERE id::text = used_id`;
}

function keyOf(row: Row): ApiKey {
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
