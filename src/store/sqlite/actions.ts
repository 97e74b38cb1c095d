import type { DatabaseSync } from 'node:sqlite';
import { createIdempotency } from './idempotency.ts';
import { keyActions } from './keys.ts';
import { orderActions } from './orders.ts';
import { petActions } from './pets.ts';
import { writeStatement } from './table.ts';

/** Every change the store knows, each to be called inside a transaction. */
export type Actions = ReturnType<typeof createActions>;

export function createActions(db: DatabaseSync) {
  const idempotency = createIdempotency(db);
  const probe = writeStatement(
    db,
    'INSERT INTO write_probe (id, at) VALUES (1, ?1) ON CONFLICT DO UPDATE SET at = ?1',
  );

  return {
    ...petActions(db, idempotency),
    ...orderActions(db, idempotency),
    ...keyActions(db),
    forgetExpired: idempotency.deleteExpired,
    probe(): void {
      probe.run(Date.now());
    },
  };
}
