import { INT64_MAX } from '../../../contract/int64.ts';
import type { Db } from '../pool/connection.ts';
import { LOCK_EVENTS } from './locks.ts';

/**
 * Does what a create and an order need and takes it back: rows with their indexes and triggers, locks, space on the disk, and
 * the commit, even on a synchronous standby. The inner block is undone when it raises its own code, which the server does
 * not log. The rows have an id below zero, so that no id is used up and nothing waits for them.
 */
const CREATE_AND_UNDO = `
  DO $$
  DECLARE
    probe_id bigint := -1 - floor(random() * 1e15);
  BEGIN
    IF pg_sequence_last_value('pets_id_seq') = ${INT64_MAX} THEN
      RAISE 'no ids are left' USING ERRCODE = '2200H';
    END IF;
    BEGIN
      INSERT INTO idempotency_keys (owner, key, fingerprint, result) VALUES ('', probe_id, '', '');
      INSERT INTO pets (id, name, category_id, status, folded_name)
      VALUES (probe_id, 'readiness probe', 0, 'pending', 'readiness probe');
      INSERT INTO orders (id, pet_id, status) VALUES (probe_id, probe_id, 'placed');
      ${LOCK_EVENTS.replace('SELECT', 'PERFORM')};
      INSERT INTO events (id, type, pet_id, at, content) VALUES (probe_id, 'probe', probe_id, now(), '');
      RAISE SQLSTATE 'AS200';
    EXCEPTION WHEN SQLSTATE 'AS200' THEN NULL;
    END;
  END $$`;

/** Rejects unless an animal and an order could be created at this moment. Stores nothing. */
export async function assertCanCreate(sql: Db): Promise<void> {
  await sql.query(CREATE_AND_UNDO);
}
