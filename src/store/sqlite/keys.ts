import type { DatabaseSync } from 'node:sqlite';
import type { Author } from '../../contract/event.ts';
import { INT64_MAX, int64FromText } from '../../contract/int64.ts';
import type { KeyUpdate } from '../../contract/key.ts';
import {
  type Actor,
  createKey,
  hasStoredKey,
  type Rotation,
  revokeKey,
  rotateKey,
  updateKey,
} from '../../contract/rules/keys.ts';
import { FULL_ACCESS } from '../../contract/scope.ts';
import type { ApiKey, FirstApiKey, KeyChanges, KeyQuery, KeyUse, NewApiKey, RotatedKey } from '../store.ts';
import { tables } from '../tables.ts';
import { writeStatement } from './connection.ts';
import { defineTable, insertInto, itemWhere, type Row, rowStatement, updateIn } from './table.ts';

const keyTable = defineTable(tables.keys);

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

export function keyActions(db: DatabaseSync) {
  const insert = insertInto(db, keyTable, { generated: 'id' });
  const update = updateIn(db, keyTable);
  const isUnused = db.prepare(
    `SELECT NOT EXISTS (SELECT 1 FROM api_keys) AND NOT EXISTS (SELECT 1 FROM pets)
      AND NOT EXISTS (SELECT 1 FROM removed_pets) AS yes`,
  );
  const find = itemWhere(db, keyTable, 'id = ?');
  const getKey = (id: string) => find(int64FromText(id) ?? null);
  const use = writeStatement(
    db,
    'UPDATE api_keys SET last_used_at = max(coalesce(last_used_at, 0), ?) WHERE id = ?',
  );

  const actor = (by: Author | undefined): Actor => ({
    by,
    key: hasStoredKey(by) ? getKey(by.keyId) : null,
    now: new Date(),
  });
  const add = (key: Omit<ApiKey, 'id'>): ApiKey => getKey(String(insert(key))) as ApiKey;
  const change = (key: ApiKey): ApiKey => {
    update(key);
    return getKey(key.id) as ApiKey;
  };

  return {
    createKey: (key: NewApiKey, by?: Author): ApiKey => add(createKey(key, actor(by))),
    createFirstKey: (key: FirstApiKey): ApiKey | undefined =>
      isUnused.get()?.yes ? add({ ...key, scopes: [FULL_ACCESS], createdAt: new Date() }) : undefined,
    updateKey: (id: string, changes: KeyUpdate, by?: Author): ApiKey =>
      change(updateKey(getKey(id), changes, actor(by))),
    revokeKey: (id: string, by?: Author): ApiKey => change(revokeKey(getKey(id), actor(by))),
    rotateKey(id: string, rotation: Rotation, by?: Author): RotatedKey {
      const { created, replaced } = rotateKey(getKey(id), rotation, actor(by));
      const stored = add(created);
      return { created: stored, replaced: change(replaced(stored.id)) };
    },
    recordKeyUse(uses: readonly KeyUse[]): void {
      for (const { id, at } of uses) use.run(at.getTime(), id);
    },
  };
}
