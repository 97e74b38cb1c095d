import type { DatabaseSync } from 'node:sqlite';
import { createIdempotency } from './idempotency.ts';
import { keyActions } from './keys.ts';
import { orderActions } from './orders.ts';
import { petActions } from './pets.ts';
import { writeStatement } from './table.ts';

/** Sixteen pages: more than the largest create writes, with its Idempotency-Key and every index. */
const PROBE_BYTES = 65_536;

/** Every change the store can make, each to be called inside a transaction. */
export type Actions = ReturnType<typeof createActions>;

export function createActions(db: DatabaseSync) {
  const idempotency = createIdempotency(db);
  const probe = writeStatement(
    db,
    `INSERT INTO write_probe (id, at, filler) VALUES (1, ?1, randomblob(${PROBE_BYTES}))
    ON CONFLICT DO UPDATE SET at = ?1, filler = excluded.filler`,
  );

  return {
    ...petActions(db, idempotency),
    ...orderActions(db, idempotency),
    ...keyActions(db),
    forgetExpired: idempotency.deleteExpired,
    /** Fails when a create would: a disk that is nearly full may still have room for a small row. */
    probe(): void {
      probe.run(Date.now());
    },
  };
}
