import type { DatabaseSync } from 'node:sqlite';
import { categoryActions } from '../categories.ts';
import { eventActions, eventRecorder } from '../events.ts';
import { createIdempotency } from '../idempotency.ts';
import { keyActions } from '../keys.ts';
import { orderActions } from '../orders.ts';
import { petActions } from '../pets.ts';
import { removedPetActions } from '../removed-pets.ts';
import { createProbe } from './probe.ts';

/** Every change the store can make, each to be called inside a transaction. */
export type Actions = ReturnType<typeof createActions>;

export function createActions(db: DatabaseSync) {
  const idempotency = createIdempotency(db);
  const record = eventRecorder(db);
  const creates = { ...petActions(db, idempotency, record), ...orderActions(db, idempotency, record) };
  return {
    ...creates,
    ...removedPetActions(db, record),
    ...categoryActions(db, idempotency, record),
    ...keyActions(db),
    ...eventActions(db),
    forgetExpired: idempotency.deleteExpired,
    probe: createProbe(db, creates),
  };
}
