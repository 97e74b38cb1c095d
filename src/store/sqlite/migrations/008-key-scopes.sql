-- What the key opens: scopes separated by spaces, or * for everything.
ALTER TABLE api_keys ADD COLUMN scopes TEXT NOT NULL DEFAULT '*';

DROP TRIGGER number_changed_key;

CREATE TRIGGER number_changed_key AFTER UPDATE OF name, digest, scopes, expires_at, revoked_at ON api_keys BEGIN
  UPDATE api_keys SET change = (SELECT max(change) + 1 FROM api_keys) WHERE id = new.id;
END;
