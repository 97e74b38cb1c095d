-- Names are searched for any part of them, without an index. `folded_text` is a function of the program (contract/folded-text.ts); names of
-- ASCII characters are stored as it returns them already, unless they were cut.
DROP INDEX pets_by_name;

UPDATE pets SET folded_name = folded_text(name) WHERE octet_length(name) <> length(name) OR length(name) > 600;

UPDATE removed_pets SET folded_name = folded_text(name) WHERE octet_length(name) <> length(name) OR length(name) > 600;

ALTER TABLE removed_pets ADD COLUMN reason TEXT;

-- When an order was completed: by its event, or by its last change where that event is no longer there.
ALTER TABLE orders ADD COLUMN completed_at INTEGER;

ALTER TABLE orders ADD COLUMN folded_note TEXT;

UPDATE orders SET folded_note = folded_text(note) WHERE note IS NOT NULL;

UPDATE orders SET completed_at = changed_at WHERE status IN ('completed', 'returned');

UPDATE orders SET completed_at = completion.at
FROM (
  SELECT at, pet_id, CAST(substr(content, length('{"order":{"id":') + 1) AS INTEGER) AS order_id
  FROM events NOT INDEXED WHERE type = 'order.completed' AND content LIKE '{"order":{"id":%'
) AS completion
WHERE orders.id = completion.order_id AND orders.pet_id = completion.pet_id;

CREATE INDEX orders_by_completion ON orders (completed_at) WHERE completed_at IS NOT NULL;

-- Counts by category, kept by triggers as those by status are. A category without animals has no row.
CREATE TABLE category_inventory (
  category_id INTEGER PRIMARY KEY,
  available INTEGER NOT NULL,
  pending INTEGER NOT NULL,
  sold INTEGER NOT NULL
) STRICT;

INSERT INTO category_inventory (category_id, available, pending, sold)
SELECT category_id, sum(status = 'available'), sum(status = 'pending'), sum(status = 'sold') FROM pets GROUP BY category_id;

DROP TRIGGER count_new_pet;

DROP TRIGGER count_changed_pet;

DROP TRIGGER count_removed_pet;

CREATE TRIGGER count_new_pet AFTER INSERT ON pets BEGIN
  UPDATE inventory SET pets = pets + 1 WHERE status = new.status;
  INSERT INTO category_inventory (category_id, available, pending, sold)
  VALUES (new.category_id, new.status = 'available', new.status = 'pending', new.status = 'sold')
  ON CONFLICT DO UPDATE SET
    available = available + excluded.available, pending = pending + excluded.pending, sold = sold + excluded.sold;
END;

CREATE TRIGGER count_changed_pet AFTER UPDATE OF status, category_id ON pets
WHEN old.status <> new.status OR old.category_id <> new.category_id BEGIN
  UPDATE inventory SET pets = pets - 1 WHERE status = old.status;
  UPDATE inventory SET pets = pets + 1 WHERE status = new.status;
  INSERT INTO category_inventory (category_id, available, pending, sold)
  VALUES (new.category_id, new.status = 'available', new.status = 'pending', new.status = 'sold')
  ON CONFLICT DO UPDATE SET
    available = available + excluded.available, pending = pending + excluded.pending, sold = sold + excluded.sold;
  UPDATE category_inventory SET
    available = available - (old.status = 'available'), pending = pending - (old.status = 'pending'), sold = sold - (old.status = 'sold')
  WHERE category_id = old.category_id;
  DELETE FROM category_inventory WHERE category_id = old.category_id AND available = 0 AND pending = 0 AND sold = 0;
END;

CREATE TRIGGER count_removed_pet AFTER DELETE ON pets BEGIN
  UPDATE inventory SET pets = pets - 1 WHERE status = old.status;
  UPDATE category_inventory SET
    available = available - (old.status = 'available'), pending = pending - (old.status = 'pending'), sold = sold - (old.status = 'sold')
  WHERE category_id = old.category_id;
  DELETE FROM category_inventory WHERE category_id = old.category_id AND available = 0 AND pending = 0 AND sold = 0;
END;

-- The key that last changed the name, the scopes or the expiry of this one.
ALTER TABLE api_keys ADD COLUMN changed_by TEXT;
