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
