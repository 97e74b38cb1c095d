-- The key that a rotation created in place of this one.
ALTER TABLE api_keys ADD COLUMN replaced_by bigint;
