import { statfsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { writeStatement } from '../connection.ts';
import { createIdempotency } from '../idempotency.ts';
import { keyActions } from '../keys.ts';
import { orderActions } from '../orders.ts';
import { petActions } from '../pets.ts';

/** Sixteen pages: more than the largest create writes, with its Idempotency-Key and every index. */
const PROBE_BYTES = 65_536;
/** With less than this left, a probe needs as much room as a create; writing that much every second would wear out a disk. */
const NEARLY_FULL_BYTES = 16 * 1024 * 1024;

/** Every change the store can make, each to be called inside a transaction. */
export type Actions = ReturnType<typeof createActions>;

export function createActions(db: DatabaseSync) {
  const idempotency = createIdempotency(db);
  const probe = writeStatement(
    db,
    'INSERT INTO write_probe (id, at, filler) VALUES (1, ?1, randomblob(?2)) ON CONFLICT DO UPDATE SET at = ?1, filler = excluded.filler',
  );

  return {
    ...petActions(db, idempotency),
    ...orderActions(db, idempotency),
    ...keyActions(db),
    forgetExpired: idempotency.deleteExpired,
    /** Fails when a create would: a disk that is nearly full may still have room for a small row. */
    probe(): void {
      probe.run(Date.now(), isNearlyFull(db) ? PROBE_BYTES : 1);
    },
  };
}

function isNearlyFull(db: DatabaseSync): boolean {
  const file = db.location();
  if (file === null) return false;
  const { bavail, bsize } = statfsSync(file);
  return bavail * bsize < NEARLY_FULL_BYTES;
}
