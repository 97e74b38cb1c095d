-- An instance of an earlier version may still be running. Its writes would lack what this version relies on, such as their events. Each of them names
-- one of these columns, so that from here on it fails.
ALTER TABLE pets RENAME COLUMN name_key TO folded_name;

ALTER TABLE removed_pets RENAME COLUMN name_key TO folded_name;

ALTER TABLE orders RENAME COLUMN updated_at TO changed_at;

-- TEMPORARY: functions of the database for the base commit; they go with the next commits.
CREATE OR REPLACE FUNCTION place_order(
  new_id bigint, ordered bigint, new_note text, placed_at timestamptz,
  by_owner text, by_key text, by_fingerprint text, new_result text, lifetime interval)
RETURNS SETOF pets LANGUAGE plpgsql SET search_path = animal_store AS $$
DECLARE
  reserved pets;
BEGIN
  IF by_key IS NOT NULL THEN
    INSERT INTO idempotency_keys AS kept (owner, key, fingerprint, result)
    VALUES (by_owner, by_key, by_fingerprint, new_result)
    ON CONFLICT (owner, key) DO UPDATE
      SET fingerprint = excluded.fingerprint, result = excluded.result, created_at = now()
      WHERE kept.created_at <= now() - lifetime;
    IF NOT FOUND THEN RETURN; END IF;
  END IF;
  UPDATE pets SET status = 'pending' WHERE id = ordered AND status = 'available' RETURNING * INTO reserved;
  IF NOT FOUND THEN
    IF EXISTS (SELECT FROM pets WHERE id = ordered) THEN RAISE 'pet_not_available' USING ERRCODE = 'AS409'; END IF;
    RAISE 'pet_not_found' USING ERRCODE = 'AS404';
  END IF;
  INSERT INTO orders (id, pet_id, status, note, created_at, changed_at)
  VALUES (new_id, ordered, 'placed', new_note, placed_at, placed_at);
  RETURN NEXT reserved;
END $$;
