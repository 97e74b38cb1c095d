-- When an order was completed, and its note in the form in which it is searched: filled in by migration 017.
ALTER TABLE orders ADD COLUMN completed_at timestamptz, ADD COLUMN folded_note text COLLATE "C";

ALTER TABLE removed_pets ADD COLUMN reason text;

-- The key that last changed the name, the scopes or the expiry of this one.
ALTER TABLE api_keys ADD COLUMN changed_by text;
