-- Events are numbered without gaps in the order of the commits: a writer takes the next numbers last, under a lock that it holds until its commit.
-- Readers continue meanwhile, and wait only for the moment in which the tables are exchanged. Events that were moved here from another store keep
-- their numbers. A reader that has seen an event before this migration knows its old place, and continues from there.
LOCK TABLE events IN SHARE ROW EXCLUSIVE MODE;

CREATE TABLE numbered_events (
  id bigint NOT NULL,
  type text NOT NULL,
  pet_id bigint,
  at timestamptz NOT NULL,
  key_id text,
  key_name text,
  content text NOT NULL,
  old_transaction bigint,
  old_id bigint
);

INSERT INTO numbered_events (id, type, pet_id, at, key_id, key_name, content, old_transaction, old_id)
SELECT
  row_number() OVER (ORDER BY transaction, id) - 1 + coalesce((SELECT min(id) FROM events WHERE transaction = 0), 1),
  type, pet_id, at, key_id, key_name, content, nullif(transaction, 0), CASE WHEN transaction <> 0 THEN id END
FROM events ORDER BY transaction, id;

ALTER TABLE numbered_events ADD CONSTRAINT event_numbers PRIMARY KEY (id);

CREATE INDEX events_of_pet ON numbered_events (pet_id, id) WHERE pet_id IS NOT NULL;

CREATE UNIQUE INDEX events_by_old_place ON numbered_events (old_transaction, old_id) WHERE old_transaction IS NOT NULL;

DROP TABLE events;

DROP TABLE event_feed;

ALTER TABLE numbered_events RENAME TO events;
