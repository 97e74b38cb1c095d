-- A name for the category of animals. `name_key` orders and finds names; `name_digest` is equal for names that differ only by case.
CREATE TABLE categories (
  id bigint PRIMARY KEY,
  name text NOT NULL,
  name_key text COLLATE "C" NOT NULL,
  name_digest text NOT NULL UNIQUE
);

CREATE INDEX categories_by_name ON categories (name_key, id);

-- Without a status, a page is merged from one range per status, so that one index serves both.
CREATE INDEX pets_by_category ON pets (category_id, status, id);

CREATE INDEX removed_pets_by_category ON removed_pets (category_id);
