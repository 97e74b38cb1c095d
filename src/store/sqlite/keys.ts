import type { DatabaseSync } from 'node:sqlite';
import type { ApiKey, KeyRotation, KeyUse, NewApiKey, RotatedKey } from '../store.ts';
import { writeStatement } from './connection.ts';
import { date, defineTable, insertInto, nullable, type Row, rowStatement, text, textId } from './table.ts';

export const keyTable = defineTable<ApiKey>('api_keys', {
  id: textId('id'),
  name: text('name'),
  digest: text('digest'),
  createdAt: date('created_at'),
  expiresAt: nullable(date('expires_at')),
  revokedAt: nullable(date('revoked_at')),
  lastUsedAt: nullable(date('last_used_at')),
});

export function keyReads(db: DatabaseSync) {
  const all = rowStatement(db, `${keyTable.select} ORDER BY id`);
  return { listKeys: (): ApiKey[] => (all.all() as unknown as Row[]).map(keyTable.fromRow) };
}

export function keyActions(db: DatabaseSync) {
  const insert = insertInto(db, keyTable, { generated: 'id' });
  const isUnused = db.prepare(
    'SELECT NOT EXISTS (SELECT 1 FROM api_keys) AND NOT EXISTS (SELECT 1 FROM pets) AS yes',
  );
  // Compared as text, because an id in another spelling (01, 1.0) is not the id of any key.
  const revoke = writeStatement(
    db,
    'UPDATE api_keys SET revoked_at = coalesce(revoked_at, ?) WHERE CAST(id AS TEXT) = ?',
  );
  const find = rowStatement(db, `${keyTable.select} WHERE CAST(id AS TEXT) = ?`);
  const shorten = writeStatement(
    db,
    `UPDATE api_keys SET expires_at = min(coalesce(expires_at, ?1), ?1)
      WHERE CAST(id AS TEXT) = ?2 AND revoked_at IS NULL AND coalesce(expires_at > ?3, TRUE)`,
  );
  const use = writeStatement(
    db,
    'UPDATE api_keys SET last_used_at = max(coalesce(last_used_at, 0), ?) WHERE id = ?',
  );

  function keyById(id: string): ApiKey | undefined {
    const row = find.get(id) as unknown as Row | undefined;
    return row && keyTable.fromRow(row);
  }

  function createKey(key: NewApiKey): ApiKey {
    return keyById(String(insert({ ...key, createdAt: new Date() }))) as ApiKey;
  }

  return {
    createKey,
    createFirstKey(key: NewApiKey): ApiKey | undefined {
      return isUnused.get()?.yes ? createKey(key) : undefined;
    },
    revokeKey(id: string): ApiKey | undefined {
      revoke.run(Date.now(), id);
      return keyById(id);
    },
    rotateKey(id: string, { replacedExpiresAt, ...rotation }: KeyRotation): RotatedKey | undefined {
      const { changes } = shorten.run(replacedExpiresAt.getTime(), id, Date.now());
      const replaced = Number(changes) > 0 ? keyById(id) : undefined;
      return replaced && { created: createKey({ ...rotation, name: replaced.name }), replaced };
    },
    recordKeyUse(uses: readonly KeyUse[]): void {
      for (const { id, at } of uses) use.run(at.getTime(), id);
    },
  };
}
