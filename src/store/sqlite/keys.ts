import type { DatabaseSync } from 'node:sqlite';
import { INT64_MAX } from '../../contract/int64.ts';
import { assertMayAct, rotateKey } from '../../contract/rules/keys.ts';
import { FULL_ACCESS } from '../../contract/scope.ts';
import { rowIdOf } from '../columns.ts';
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
import { tables } from '../tables.ts';
import { writeStatement } from './connection.ts';
import { defineTable, insertInto, itemById, type Row, rowStatement } from './table.ts';

export const keyTable = defineTable(tables.keys);

export function keyReads(db: DatabaseSync) {
  const all = rowStatement(db, `${keyTable.select} ORDER BY id`);
  const newest = rowStatement(db, `${keyTable.select} WHERE id <= ? ORDER BY id DESC LIMIT ?`);
  const keysOf = (rows: unknown) => (rows as Row[]).map(keyTable.fromRow);
  // At least one row, even if no key has changed: then the columns of the key are null.
  const changed = rowStatement(
    db,
    `SELECT ${keyTable.list}, change, removals, (SELECT coalesce(max(change), 0) FROM api_keys)
     FROM (SELECT removals FROM key_removals)
     LEFT JOIN (SELECT * FROM api_keys WHERE change > ?1 ORDER BY change LIMIT ?2)
     ORDER BY change`,
  );

  return {
    listKeys: (): ApiKey[] => keysOf(all.all()),
    listNewestKeys: ({ limit, from }: KeyQuery): ApiKey[] => keysOf(newest.all(from?.id ?? INT64_MAX, limit)),
    getKey: keyById(db),
    listKeyChanges(after: number, limit: number): KeyChanges {
      const rows = changed.all(after, limit) as unknown as [Row, ...Row[]];
      const [removals, latest] = rows[0].slice(-2).map(Number) as [number, number];
      const keys = rows.filter(([id]) => id !== null);
      return {
        keys: keys.map((row) => ({ ...keyTable.fromRow(row), change: Number(row.at(-3)) })),
        latest,
        removals,
        now: new Date(),
      };
    },
  };
}

function keyById(db: DatabaseSync): (id: string) => ApiKey | undefined {
  const find = itemById(db, keyTable);
  return (id) => find(rowIdOf(id) ?? null);
}

export function keyActions(db: DatabaseSync) {
  const insert = insertInto(db, keyTable, { generated: 'id' });
  const isUnused = db.prepare(
    `SELECT NOT EXISTS (SELECT 1 FROM api_keys) AND NOT EXISTS (SELECT 1 FROM pets)
      AND NOT EXISTS (SELECT 1 FROM removed_pets) AS yes`,
  );
  const revoke = writeStatement(db, 'UPDATE api_keys SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?');
  const getKey = keyById(db);
  const replace = writeStatement(db, 'UPDATE api_keys SET expires_at = ?, replaced_by = ? WHERE id = ?');
  const use = writeStatement(
    db,
    'UPDATE api_keys SET last_used_at = max(coalesce(last_used_at, 0), ?) WHERE id = ?',
  );

  function assertActing(actingKey: string | undefined): void {
    if (actingKey !== undefined) assertMayAct(getKey(actingKey), new Date());
  }

  function createKey(key: NewApiKey, actingKey?: string): ApiKey {
    assertActing(actingKey);
    return getKey(String(insert({ ...key, createdAt: new Date() }))) as ApiKey;
  }

  return {
    createKey,
    createFirstKey(key: FirstApiKey): ApiKey | undefined {
      return isUnused.get()?.yes ? createKey({ ...key, scopes: [FULL_ACCESS] }) : undefined;
    },
    revokeKey(id: string): ApiKey | undefined {
      revoke.run(Date.now(), rowIdOf(id) ?? null);
      return getKey(id);
    },
    rotateKey(
      id: string,
      rotation: KeyRotation,
      actingKey?: string,
    ): RotatedKey | RefusedRotation | undefined {
      assertActing(actingKey);
      const old = getKey(id);
      if (!old) return undefined;
      const expiry = rotateKey(old, rotation, new Date());
      if (!expiry) return { refused: old };
      const { name, scopes } = old;
      const created = createKey({ name, digest: rotation.digest, scopes, expiresAt: expiry.created });
      replace.run(expiry.replaced.getTime(), BigInt(created.id), BigInt(id));
      return { created, replaced: getKey(id) as ApiKey };
    },
    recordKeyUse(uses: readonly KeyUse[]): void {
      for (const { id, at } of uses) use.run(at.getTime(), id);
    },
  };
}
