-- What the key opens: scopes separated by spaces, or * for everything.
ALTER TABLE api_keys ADD COLUMN scopes text NOT NULL DEFAULT '*';

DROP TRIGGER number_changed_key ON api_keys;

CREATE TRIGGER number_changed_key BEFORE UPDATE OF name, digest, scopes, expires_at, revoked_at ON api_keys
  FOR EACH ROW EXECUTE FUNCTION number_key_change();
