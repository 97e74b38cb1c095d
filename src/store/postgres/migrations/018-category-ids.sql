-- The identifier that was last assigned to a new category. It only increases. No row means that there was none.
CREATE TABLE category_counter (
  id bigint PRIMARY KEY CHECK (id = 1),
  last bigint NOT NULL
);

-- The identifiers that removed categories had. No other category gets one of them; a client can name one again.
CREATE TABLE former_category_ids (id bigint PRIMARY KEY);

CREATE FUNCTION keep_category_id() RETURNS trigger LANGUAGE plpgsql SET search_path = animal_store AS $$
BEGIN
  INSERT INTO former_category_ids (id) VALUES (OLD.id) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

-- Other sessions can change no category while the events are read.
CREATE TRIGGER keep_category_id AFTER DELETE ON categories FOR EACH ROW EXECUTE FUNCTION keep_category_id();

INSERT INTO former_category_ids (id)
SELECT substring(content FROM '^[{]"category":[{]"id":(-?[0-9]+),')::bigint
FROM events WHERE type = 'category.removed' AND content LIKE '{"category":{"id":%'
ON CONFLICT DO NOTHING;

-- New identifiers continue after those in use.
INSERT INTO category_counter (id, last)
SELECT 1, last FROM (SELECT greatest(
  (SELECT max(id) FROM categories WHERE id < 1::bigint << 52),
  (SELECT max(id) FROM former_category_ids WHERE id < 1::bigint << 52),
  (SELECT max(category_id) FROM pets WHERE category_id < 1::bigint << 52),
  (SELECT max(category_id) FROM removed_pets WHERE category_id < 1::bigint << 52)) AS last) AS used
WHERE last > 0;
