-- The key by which animals are found and ordered by name (contract/name-key.ts), compared by its bytes. It is NULL for an
-- animal whose key is not computed yet: see migration 017.
ALTER TABLE pets ADD COLUMN name_key text COLLATE "C";

-- Without a status, a page is merged from one range per status, so that one index serves both.
CREATE INDEX pets_by_name ON pets (status, name_key, id);

CREATE INDEX pets_without_name_key ON pets (id) WHERE name_key IS NULL;
