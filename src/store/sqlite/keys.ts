import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { ApiKey, KeyUse, NewApiKey } from '../store.ts';

type Row = Record<string, SQLOutputValue>;

export function keyReads(db: DatabaseSync) {
  const all = db.prepare('SELECT * FROM api_keys ORDER BY id');
  return { listKeys: (): ApiKey[] => all.all().map(keyOf) };
}

export function keyActions(db: DatabaseSync) {
  const insert = db.prepare(
    'INSERT INTO api_keys (name, digest, created_at, expires_at) VALUES (?, ?, ?, ?) RETURNING *',
  );
  const isUnused = db.prepare(
    'SELECT NOT EXISTS (SELECT 1 FROM api_keys) AND NOT EXISTS (SELECT 1 FROM pets) AS yes',
  );
  const revoke = db.prepare(
    'UPDATE api_keys SET revoked_at = coalesce(revoked_at, ?) WHERE CAST(id AS TEXT) = ? RETURNING *',
  );
  const use = db.prepare('UPDATE api_keys SET last_used_at = max(coalesce(last_used_at, 0), ?) WHERE id = ?');

  function createKey({ name, digest, expiresAt }: NewApiKey): ApiKey {
    return keyOf(insert.get(name, digest, Date.now(), expiresAt?.getTime() ?? null) as Row);
  }

  return {
    createKey,
    createFirstKey(key: NewApiKey): ApiKey | undefined {
      return isUnused.get()?.yes ? createKey(key) : undefined;
    },
    revokeKey(id: string): ApiKey | undefined {
      const row = revoke.get(Date.now(), id);
      return row && keyOf(row);
    },
    recordKeyUse(uses: readonly KeyUse[]): void {
      for (const { id, at } of uses) use.run(at.getTime(), id);
    },
  };
}

export function keyOf(row: Row): ApiKey {
  return {
    id: String(row.id),
    name: row.name as string,
    digest: row.digest as string,
    createdAt: new Date(row.created_at as number),
    expiresAt: dateOf(row.expires_at),
    revokedAt: dateOf(row.revoked_at),
    lastUsedAt: dateOf(row.last_used_at),
  };
}

const dateOf = (value: SQLOutputValue | undefined): Date | undefined =>
  typeof value === 'number' ? new Date(value) : undefined;
