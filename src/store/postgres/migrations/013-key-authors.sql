-- The keys that created, replaced and revoked this one. Null for the command line, and for what happened before this migration.
ALTER TABLE api_keys ADD COLUMN created_by TEXT;

ALTER TABLE api_keys ADD COLUMN rotated_by TEXT;

ALTER TABLE api_keys ADD COLUMN revoked_by TEXT;
