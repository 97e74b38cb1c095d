-- Counts by category: what was summed up, and the changes since, as for those by status (002). Writers wait while the animals are counted;
-- readers do not.
LOCK TABLE pets IN SHARE ROW EXCLUSIVE MODE;

CREATE TABLE category_inventory (
  category_id bigint NOT NULL,
  status text NOT NULL,
  pets bigint NOT NULL,
  PRIMARY KEY (category_id, status)
);

CREATE TABLE category_changes (
  category_id bigint NOT NULL,
  status text NOT NULL,
  pets bigint NOT NULL
);

CREATE INDEX category_changes_by_category ON category_changes (category_id);

INSERT INTO category_inventory (category_id, status, pets)
SELECT category_id, status, count(*) FROM pets GROUP BY category_id, status;

CREATE OR REPLACE FUNCTION count_pets() RETURNS trigger LANGUAGE plpgsql SET search_path = animal_store AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO inventory (status, pets) SELECT status, count(*) FROM added GROUP BY status;
    INSERT INTO category_changes (category_id, status, pets)
    SELECT category_id, status, count(*) FROM added GROUP BY category_id, status;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO inventory (status, pets) SELECT status, -count(*) FROM removed GROUP BY status;
    INSERT INTO category_changes (category_id, status, pets)
    SELECT category_id, status, -count(*) FROM removed GROUP BY category_id, status;
  ELSE
    INSERT INTO inventory (status, pets)
    SELECT status, sum(change)
    FROM (SELECT status, 1 AS change FROM added UNION ALL SELECT status, -1 FROM removed) AS changes
    GROUP BY status HAVING sum(change) <> 0;
    INSERT INTO category_changes (category_id, status, pets)
    SELECT category_id, status, sum(change)
    FROM (SELECT category_id, status, 1 AS change FROM added UNION ALL SELECT category_id, status, -1 FROM removed) AS changes
    GROUP BY category_id, status HAVING sum(change) <> 0;
  END IF;
  RETURN NULL;
END $$;
