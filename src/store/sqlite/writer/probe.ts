import type { DatabaseSync } from 'node:sqlite';
import { parse } from 'valibot';
import { parseJson } from '../../../contract/json.ts';
import { type NewPet, Pet } from '../../../contract/pet.ts';
import type { Actions } from '../../actions.ts';
import { freeBytes } from '../../file-errors.ts';
import { writeStatement } from '../connection.ts';

/** Sixteen pages: more than the largest create writes, with its Idempotency-Key and every index. */
const PROBE_BYTES = 65_536;
/** With less than this left, a probe needs as much room as a create; writing that much every second would wear out a disk. */
const NEARLY_FULL_BYTES = 16 * 1024 * 1024;

const ANIMAL: NewPet = { name: 'Readiness probe', categoryId: 0n, status: 'available' };
const idempotencyKey = { owner: 'readiness probe', key: 'readiness probe', fingerprint: '' };

/**
 * Fails when a create would. A row of its own is committed, because a disk that is nearly full may still have room for a small one;
 * an animal with an order and an Idempotency-Key is created and undone.
 */
export function createProbe(db: DatabaseSync, { createPet, createOrder }: Actions): () => void {
  const write = writeStatement(
    db,
    'INSERT INTO write_probe (id, at, filler) VALUES (1, ?1, randomblob(?2)) ON CONFLICT DO UPDATE SET at = ?1, filler = excluded.filler',
  );

  return () => {
    write.run(Date.now(), isNearlyFull(db) ? PROBE_BYTES : 1);
    db.exec('SAVEPOINT probe');
    try {
      const { json } = createPet(ANIMAL, { idempotencyKey });
      createOrder({ petId: parse(Pet, parseJson(json)).id });
    } finally {
      // A failing disk can make SQLite roll back the whole transaction.
      if (db.isTransaction) db.exec('ROLLBACK TO probe; RELEASE probe');
    }
  };
}

function isNearlyFull(db: DatabaseSync): boolean {
  const file = db.location();
  return file !== null && freeBytes(file) < NEARLY_FULL_BYTES;
}
