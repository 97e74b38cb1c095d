-- The names that the keys had when the order was placed and when it was completed. Orders from before have none.
ALTER TABLE orders ADD COLUMN created_by text, ADD COLUMN completed_by text;

-- Nothing uses them. Their index goes with them.
ALTER TABLE events DROP COLUMN IF EXISTS old_transaction, DROP COLUMN IF EXISTS old_id;
