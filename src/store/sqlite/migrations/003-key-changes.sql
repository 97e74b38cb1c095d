-- Each change of a key gets the next number, so that a service can read what has changed since it last looked. That a
-- key was used is no such change.
ALTER TABLE api_keys ADD COLUMN change INTEGER NOT NULL DEFAULT 0;

UPDATE api_keys SET change = id;

CREATE INDEX api_keys_by_change ON api_keys (change);

CREATE TRIGGER number_new_key AFTER INSERT ON api_keys BEGIN
  UPDATE api_keys SET change = (SELECT max(change) + 1 FROM api_keys) WHERE id = new.id;
END;

CREATE TRIGGER number_changed_key AFTER UPDATE OF name, digest, expires_at, revoked_at ON api_keys BEGIN
  UPDATE api_keys SET change = (SELECT max(change) + 1 FROM api_keys) WHERE id = new.id;
END;

-- A removed row has no number: a service that sees this count change reads all keys again.
CREATE TABLE key_removals (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  removals INTEGER NOT NULL
) STRICT;

INSERT INTO key_removals (id, removals) VALUES (1, 0);

CREATE TRIGGER count_removed_key AFTER DELETE ON api_keys BEGIN
  UPDATE key_removals SET removals = removals + 1;
END;

CREATE TRIGGER count_replaced_digest AFTER UPDATE OF digest ON api_keys WHEN old.digest <> new.digest BEGIN
  UPDATE key_removals SET removals = removals + 1;
END;

-- The probe for readiness writes as many pages as the largest create, so that it fails when a create would.
ALTER TABLE write_probe ADD COLUMN filler BLOB;

-- Named the write-ahead log that belongs to this file, until migration 010.
CREATE TABLE wal_owner (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  label TEXT NOT NULL,
  previous TEXT NOT NULL,
  current TEXT NOT NULL,
  schema_cookie INTEGER NOT NULL
) STRICT;

INSERT INTO wal_owner (id, label, previous, current, schema_cookie)
SELECT 1, 'animal-store wal owner', '00000000000000000000000000000000', lower(hex(randomblob(16))), schema_version
FROM pragma_schema_version;
