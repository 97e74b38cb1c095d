import type { DatabaseSync } from 'node:sqlite';
import { keyActions } from './keys.ts';
import { createAtMostOnce } from './once.ts';
import { orderActions } from './orders.ts';
import { petActions } from './pets.ts';

/** Every change the store knows, each to be called inside a transaction. */
export type Actions = ReturnType<typeof createActions>;

export function createActions(db: DatabaseSync) {
  const atMostOnce = createAtMostOnce(db);
  const probe = db.prepare(
    'INSERT INTO write_probe (id, at) VALUES (1, ?1) ON CONFLICT DO UPDATE SET at = ?1',
  );

  return {
    ...petActions(db, atMostOnce),
    ...orderActions(db, atMostOnce),
    ...keyActions(db),
    forgetExpired: atMostOnce.forget,
    probe(): void {
      probe.run(Date.now());
    },
  };
}
