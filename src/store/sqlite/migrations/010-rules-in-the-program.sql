-- A service of an earlier version may still have the file open. Its changes of animals and orders would lack what this version relies on, such as
-- their events. Each of them names one of these columns, so that from here on it fails.
ALTER TABLE pets RENAME COLUMN name_key TO folded_name;

ALTER TABLE removed_pets RENAME COLUMN name_key TO folded_name;

ALTER TABLE orders RENAME COLUMN updated_at TO changed_at;

-- SQLite itself decides which write-ahead log belongs to the file.
DROP TABLE wal_owner;
