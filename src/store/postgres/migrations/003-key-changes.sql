-- Each change of a key gets the next number, so that an instance can read what has changed since it last looked. That a
-- key was used is no such change.
ALTER TABLE api_keys ADD COLUMN change bigint NOT NULL DEFAULT 0;

UPDATE api_keys SET change = id;

CREATE INDEX api_keys_by_change ON api_keys (change);

-- The lock is held until the commit, so that numbers become visible in their order.
CREATE FUNCTION number_key_change() RETURNS trigger LANGUAGE plpgsql SET search_path = animal_store AS $$
BEGIN
  PERFORM pg_advisory_xact_lock('api_keys'::regclass::bigint);
  NEW.change := (SELECT coalesce(max(change), 0) + 1 FROM api_keys);
  RETURN NEW;
END $$;

CREATE TRIGGER number_new_key BEFORE INSERT ON api_keys
  FOR EACH ROW EXECUTE FUNCTION number_key_change();

CREATE TRIGGER number_changed_key BEFORE UPDATE OF name, digest, expires_at, revoked_at ON api_keys
  FOR EACH ROW EXECUTE FUNCTION number_key_change();

-- A removed row has no number: an instance that sees this count change reads all keys again.
CREATE TABLE key_removals (removals bigint NOT NULL);

INSERT INTO key_removals (removals) VALUES (0);

CREATE FUNCTION count_key_removal() RETURNS trigger LANGUAGE plpgsql SET search_path = animal_store AS $$
BEGIN
  UPDATE key_removals SET removals = removals + 1;
  RETURN NULL;
END $$;

CREATE TRIGGER count_removed_keys AFTER DELETE OR TRUNCATE OR UPDATE OF digest ON api_keys
  FOR EACH STATEMENT EXECUTE FUNCTION count_key_removal();
