import type { DatabaseSync } from 'node:sqlite';
import type { GenericSchema } from 'valibot';
import { replay } from '../replay.ts';
import { type Created, IDEMPOTENCY_KEY_LIFETIME_MS, type IdempotencyKey } from '../store.ts';
import { tables } from '../tables.ts';
import { writeStatement } from './connection.ts';
import { defineTable, insertInto, itemStatement } from './table.ts';

export const resultTable = defineTable(tables.idempotencyKeys);

/** How a result is stored as text and read again. */
interface ResultType<T> {
  readonly schema: GenericSchema<unknown, T>;
  readonly toJson: (value: T) => string;
}

export type Idempotency = ReturnType<typeof createIdempotency>;

/** Every function must be called inside the transaction of the write that the key protects. */
export function createIdempotency(db: DatabaseSync) {
  const find = itemStatement(
    db,
    resultTable,
    `${resultTable.select} WHERE owner = ? AND key = ? AND created_at > ?`,
  );
  const insert = insertInto(db, resultTable, { orReplace: true });
  const deleteOldest = writeStatement(
    db,
    'DELETE FROM idempotency_keys WHERE (owner, key) IN (SELECT owner, key FROM idempotency_keys WHERE created_at <= ? LIMIT ?)',
  );
  const expiry = () => Date.now() - IDEMPOTENCY_KEY_LIFETIME_MS;

  return {
    /** The value of `create`, or the stored result of the first call with this key. */
    run<T>(
      idempotencyKey: IdempotencyKey | undefined,
      { schema, toJson }: ResultType<T>,
      create: () => T,
    ): Created<T> {
      if (!idempotencyKey) return { value: create(), replayed: false };
      const stored = find(idempotencyKey.owner, idempotencyKey.key, expiry());
      if (stored) return replay(idempotencyKey, stored, schema);
      const value = create();
      insert({ ...idempotencyKey, result: toJson(value), createdAt: new Date() });
      return { value, replayed: false };
    },
    /** Deletes at most `max` expired keys; returns how many. */
    deleteExpired(max: number): number {
      return Number(deleteOldest.run(expiry(), max).changes);
    },
  };
}
