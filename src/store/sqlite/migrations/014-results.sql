-- The status of the answer, where the operation has several: every change can have an Idempotency-Key.
ALTER TABLE idempotency_keys ADD COLUMN status INTEGER;
