CREATE TABLE pets (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  category_id INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('available', 'pending', 'sold')),
  folded_name TEXT NOT NULL DEFAULT ''
) STRICT;
-- Every index ends in the id of the row, so this one returns the rows of a status in the order of their ids.
CREATE INDEX pets_by_status ON pets (status);
-- Without a status, a page is merged from one range per status, so that one index serves both.
CREATE INDEX pets_by_category ON pets (category_id, status);

-- Removed animals, numbered in the order of their removal. The table of animals, its indexes and its counts do not contain them.
CREATE TABLE removed_pets (
  removal INTEGER PRIMARY KEY AUTOINCREMENT,
  id INTEGER NOT NULL UNIQUE,
  name TEXT NOT NULL,
  category_id INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('available', 'pending', 'sold')),
  folded_name TEXT NOT NULL,
  removed_at INTEGER NOT NULL,
  reason TEXT
) STRICT;
CREATE INDEX removed_pets_by_category ON removed_pets (category_id);

-- A name for the category of animals. `name_key` orders and finds names; `name_digest` is equal for names that differ only by case.
CREATE TABLE categories (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  name_digest TEXT NOT NULL UNIQUE
) STRICT;
CREATE INDEX categories_by_name ON categories (name_key);

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

-- An order outlives its animal, so it does not refer to a row of that table.
CREATE TABLE orders (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  pet_id INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('placed', 'completed', 'cancelled', 'returned')),
  note TEXT,
  created_at INTEGER NOT NULL,
  changed_at INTEGER NOT NULL,
  completed_at INTEGER,
  folded_note TEXT
) STRICT;
CREATE INDEX orders_by_status ON orders (status);
-- Without the status, a page of the completed orders of an animal would read all of its cancelled ones.
CREATE INDEX orders_by_pet_and_status ON orders (pet_id, status);
CREATE INDEX orders_by_completion ON orders (completed_at) WHERE completed_at IS NOT NULL;
-- The rules hold in the actions; this makes a second sale impossible whatever else goes wrong.
CREATE UNIQUE INDEX one_placed_order_a_pet ON orders (pet_id) WHERE status = 'placed';

-- Counts are kept by triggers, in the transaction of the change that they count.
CREATE TABLE inventory (
  status TEXT PRIMARY KEY,
  pets INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO inventory (status, pets) VALUES ('available', 0), ('pending', 0), ('sold', 0);

-- A category without animals has no row.
CREATE TABLE category_inventory (
  category_id INTEGER PRIMARY KEY,
  available INTEGER NOT NULL,
  pending INTEGER NOT NULL,
  sold INTEGER NOT NULL
) STRICT;

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

-- One row per change, written in its transaction. Writers take turns, so the numbers are in the order of the commits, without gaps. The
-- newest row is never deleted, so that the numbers go on from it.
CREATE TABLE events (
  id INTEGER PRIMARY KEY,
  type TEXT NOT NULL,
  pet_id INTEGER,
  at INTEGER NOT NULL,
  key_id TEXT,
  key_name TEXT,
  content TEXT NOT NULL
) STRICT;
CREATE INDEX events_by_pet ON events (pet_id) WHERE pet_id IS NOT NULL;

-- `replaced_by` is the key that a rotation created in place of this one; `scopes` are separated by spaces, or * for everything. The last four
-- are the keys that created, replaced, revoked and last changed this one; null for the command line.
CREATE TABLE api_keys (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  digest TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  revoked_at INTEGER,
  last_used_at INTEGER,
  change INTEGER NOT NULL DEFAULT 0,
  replaced_by INTEGER,
  scopes TEXT NOT NULL DEFAULT '*',
  created_by TEXT,
  rotated_by TEXT,
  revoked_by TEXT,
  changed_by TEXT
) STRICT;
-- Each change of a key gets the next number, so that a service can read what has changed since it last looked. The use
-- of a key is not such a change.
CREATE INDEX api_keys_by_change ON api_keys (change);

CREATE TRIGGER number_new_key AFTER INSERT ON api_keys BEGIN
  UPDATE api_keys SET change = (SELECT max(change) + 1 FROM api_keys) WHERE id = new.id;
END;

CREATE TRIGGER number_changed_key AFTER UPDATE OF name, digest, scopes, expires_at, revoked_at ON api_keys BEGIN
  UPDATE api_keys SET change = (SELECT max(change) + 1 FROM api_keys) WHERE id = new.id;
END;

-- A removed row has no number: a service that sees this count change reads all keys again.
CREATE TABLE key_removals (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  removals INTEGER NOT NULL
) STRICT;

INSERT INTO key_removals (id, removals) VALUES (1, 0);

CREATE TRIGGER count_removed_key AFTER DELETE ON api_keys BEGIN
  UPDATE key_removals SET removals = removals + 1;
END;

CREATE TRIGGER count_replaced_digest AFTER UPDATE OF digest ON api_keys WHEN old.digest <> new.digest BEGIN
  UPDATE key_removals SET removals = removals + 1;
END;

-- `status` is that of the answer, where the operation has several.
CREATE TABLE idempotency_keys (
  owner TEXT NOT NULL,
  key TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  result TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  status INTEGER,
  PRIMARY KEY (owner, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);

-- The probe for readiness writes as many pages as the largest create, so that it fails when a create would.
CREATE TABLE write_probe (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  at INTEGER NOT NULL,
  filler BLOB
) STRICT;
