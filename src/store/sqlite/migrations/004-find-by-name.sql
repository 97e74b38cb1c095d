-- The key by which animals are found and ordered by name. `name_key` is a function of the program (contract/name-key.ts).
-- In this one transaction every animal gets its key, or the file stays as it was.
ALTER TABLE pets ADD COLUMN name_key TEXT NOT NULL DEFAULT '';

UPDATE pets SET name_key = name_key(name);

-- Without a status, a page is merged from one range per status, so that one index serves both.
CREATE INDEX pets_by_name ON pets (status, name_key);
