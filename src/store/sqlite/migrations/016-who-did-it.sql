-- The names that the keys had when the order was placed and when it was completed. Orders from before have none. SQLite
-- reads a STRICT table once for each column that is added: about a second for a million orders.
ALTER TABLE orders ADD COLUMN created_by TEXT;
ALTER TABLE orders ADD COLUMN completed_by TEXT;
