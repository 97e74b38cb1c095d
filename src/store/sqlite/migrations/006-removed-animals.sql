-- Removed animals, numbered in the order of their removal. The table of animals, its indexes and its counts need not know them.
CREATE TABLE removed_pets (
  removal INTEGER PRIMARY KEY AUTOINCREMENT,
  id INTEGER NOT NULL UNIQUE,
  name TEXT NOT NULL,
  category_id INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('available', 'pending', 'sold')),
  name_key TEXT NOT NULL,
  removed_at INTEGER NOT NULL
) STRICT;

-- An order outlives its animal, so it no longer refers to a row of that table. It can have a note, and can be returned.
CREATE TABLE new_orders (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  pet_id INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('placed', 'completed', 'cancelled', 'returned')),
  note TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

INSERT INTO new_orders (id, pet_id, status, created_at, updated_at)
SELECT id, pet_id, status, created_at, updated_at FROM orders ORDER BY id;

DROP TABLE orders;

ALTER TABLE new_orders RENAME TO orders;

CREATE INDEX orders_by_status ON orders (status);

CREATE INDEX orders_by_pet ON orders (pet_id);

-- Without it, a page of the completed orders of an animal would read all of its cancelled ones.
CREATE INDEX orders_by_pet_and_status ON orders (pet_id, status);

CREATE UNIQUE INDEX one_placed_order_a_pet ON orders (pet_id) WHERE status = 'placed';
