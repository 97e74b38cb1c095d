import type { DatabaseSync } from 'node:sqlite';
import { IDEMPOTENCY_KEY_LIFETIME_MS, type IdempotencyKey, type StoredResult } from '../store.ts';
import { tables } from '../tables.ts';
import { writeStatement } from './connection.ts';
import { defineTable, insertInto, itemWhere } from './table.ts';

const resultTable = defineTable(tables.idempotencyKeys);

const expiry = () => Date.now() - IDEMPOTENCY_KEY_LIFETIME_MS;

export function resultRows(db: DatabaseSync) {
  const find = itemWhere(db, resultTable, 'owner = ? AND key = ? AND created_at > ?');

  return {
    result: ({ owner, key }: IdempotencyKey): StoredResult | undefined => find(owner, key, expiry()),
    addResult: insertInto(db, resultTable, { orReplace: true }),
  };
}

export function resultActions(db: DatabaseSync) {
  const deleteOldest = writeStatement(
    db,
    'DELETE FROM idempotency_keys WHERE (owner, key) IN (SELECT owner, key FROM idempotency_keys WHERE created_at <= ? LIMIT ?)',
  );

  return {
    /** Deletes at most `max` expired keys; returns how many. */
    forgetExpired: (max: number): number => Number(deleteOldest.run(expiry(), max).changes),
  };
}
