-- When an order was completed, and its note in the form in which it is searched: filled in by migration 017.
ALTER TABLE orders ADD COLUMN completed_at timestamptz, ADD COLUMN folded_note text COLLATE "C";

-- An instance of the version before that has not noticed this migration yet completes no order without its time: the write fails instead.
ALTER TABLE orders
  ADD CONSTRAINT completed_orders_have_a_time CHECK (status NOT IN ('completed', 'returned') OR completed_at IS NOT NULL) NOT VALID;

ALTER TABLE removed_pets ADD COLUMN reason text;

-- The key that last changed the name, the scopes or the expiry of this one.
ALTER TABLE api_keys ADD COLUMN changed_by text;
