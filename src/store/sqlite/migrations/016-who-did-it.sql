-- The names that the keys had when the order was placed and when it was completed. Orders from before have none.
ALTER TABLE orders ADD COLUMN created_by TEXT;
ALTER TABLE orders ADD COLUMN completed_by TEXT;
