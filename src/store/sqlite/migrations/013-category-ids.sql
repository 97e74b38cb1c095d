-- The identifier that was last assigned to a new category. It only increases. No row means that there was none.
CREATE TABLE category_counter (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  last INTEGER NOT NULL
) STRICT;

-- The identifiers that removed categories had. No other category gets one of them; a client can name one again.
CREATE TABLE former_category_ids (id INTEGER PRIMARY KEY) STRICT;

CREATE TRIGGER keep_category_id AFTER DELETE ON categories BEGIN
  INSERT OR IGNORE INTO former_category_ids (id) VALUES (old.id);
END;

INSERT OR IGNORE INTO former_category_ids (id)
SELECT CAST(substr(content, length('{"category":{"id":') + 1) AS INTEGER)
FROM events WHERE type = 'category.removed' AND content LIKE '{"category":{"id":%';

-- New identifiers continue after those in use.
INSERT INTO category_counter (id, last)
SELECT 1, last FROM (SELECT max(
  coalesce((SELECT max(id) FROM categories WHERE id < 1 << 52), 0),
  coalesce((SELECT max(id) FROM former_category_ids WHERE id < 1 << 52), 0),
  coalesce((SELECT max(category_id) FROM pets WHERE category_id < 1 << 52), 0),
  coalesce((SELECT max(category_id) FROM removed_pets WHERE category_id < 1 << 52), 0)) AS last)
WHERE last > 0;

-- The index on (pet_id, status) serves the orders of an animal with and without a status, as on PostgreSQL.
DROP INDEX IF EXISTS orders_by_pet;
