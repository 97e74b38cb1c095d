import type { DatabaseSync } from 'node:sqlite';
import type { GenericSchema } from 'valibot';
import { type Kept, replay } from '../once.ts';
import { type Created, ONCE_LIFETIME_MS, type Once } from '../store.ts';

/** How a result is kept as text until it is asked for again. */
interface Keeping<T> {
  readonly schema: GenericSchema<unknown, T>;
  readonly toJson: (value: T) => string;
}

export type AtMostOnce = ReturnType<typeof createAtMostOnce>;

/** Idempotency keys. To be called inside the transaction of what they guard. */
export function createAtMostOnce(db: DatabaseSync) {
  const find = db.prepare(
    'SELECT fingerprint, result FROM idempotency_keys WHERE owner = ? AND key = ? AND created_at > ?',
  );
  const keep = db.prepare(
    'INSERT OR REPLACE INTO idempotency_keys (owner, key, fingerprint, result, created_at) VALUES (?, ?, ?, ?, ?)',
  );
  const forget = db.prepare(
    'DELETE FROM idempotency_keys WHERE (owner, key) IN (SELECT owner, key FROM idempotency_keys WHERE created_at <= ? LIMIT ?)',
  );

  return {
    /** The value of `create`, or of the call before that had the same `once`. */
    run<T>(once: Once | undefined, { schema, toJson }: Keeping<T>, create: () => T): Created<T> {
      const kept = once && find.get(once.owner, once.key, Date.now() - ONCE_LIFETIME_MS);
      if (once && kept) return replay(once, kept as unknown as Kept, schema);
      const value = create();
      if (once) keep.run(once.owner, once.key, once.fingerprint, toJson(value), Date.now());
      return { value, replayed: false };
    },
    /** How many were forgotten: fewer than `most` when none is left. */
    forget(most: number): number {
      return Number(forget.run(Date.now() - ONCE_LIFETIME_MS, most).changes);
    },
  };
}
