CREATE TABLE orders (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  pet_id INTEGER NOT NULL REFERENCES pets (id),
  status TEXT NOT NULL CHECK (status IN ('placed', 'completed', 'cancelled')),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE INDEX orders_by_status ON orders (status);

-- The rules hold in the actions; this makes a second sale impossible whatever else goes wrong.
CREATE UNIQUE INDEX one_placed_order_a_pet ON orders (pet_id) WHERE status = 'placed';

-- Counts are kept by triggers, in the transaction of the change they count, whoever makes it.
CREATE TABLE inventory (
  status TEXT PRIMARY KEY,
  pets INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO inventory (status, pets)
SELECT given.status, (SELECT count(*) FROM pets WHERE pets.status = given.status)
FROM (SELECT 'available' AS status UNION ALL SELECT 'pending' UNION ALL SELECT 'sold') AS given;

CREATE TRIGGER count_new_pet AFTER INSERT ON pets BEGIN
  UPDATE inventory SET pets = pets + 1 WHERE status = new.status;
END;

CREATE TRIGGER count_changed_pet AFTER UPDATE OF status ON pets WHEN old.status <> new.status BEGIN
  UPDATE inventory SET pets = pets - 1 WHERE status = old.status;
  UPDATE inventory SET pets = pets + 1 WHERE status = new.status;
END;

CREATE TRIGGER count_removed_pet AFTER DELETE ON pets BEGIN
  UPDATE inventory SET pets = pets - 1 WHERE status = old.status;
END;
