/**
 * Changes of an SQLite database that leave every page intact, but not what the program relies on, each with what has to be said
 * about it. The database has animals, an order and a key.
 */
export const TAMPERED: Readonly<Record<string, { readonly sql: string; readonly says: RegExp }>> = {
  'a dropped table': { sql: 'DROP TABLE orders', says: /table orders is missing/ },
  'a dropped table that the program fills itself': {
    sql: 'DROP TABLE key_removals',
    says: /table key_removals is missing/,
  },
  'a dropped index': {
    sql: 'DROP INDEX orders_by_completion',
    says: /index orders_by_completion is missing/,
  },
  'a dropped unique index': {
    sql: 'DROP INDEX one_placed_order_a_pet',
    says: /index one_placed_order_a_pet is missing/,
  },
  'an index on other columns': {
    sql: 'DROP INDEX pets_by_status; CREATE INDEX pets_by_status ON pets (name)',
    says: /index pets_by_status is different/,
  },
  'a dropped trigger': { sql: 'DROP TRIGGER count_new_pet', says: /trigger count_new_pet is missing/ },
  'a trigger that deletes what is inserted': {
    sql: 'CREATE TRIGGER vanish AFTER INSERT ON pets BEGIN DELETE FROM pets WHERE id = new.id; END',
    says: /trigger vanish is not part of it/,
  },
  'a unique index that refuses animals of the same name': {
    sql: 'CREATE UNIQUE INDEX one_name ON pets (name)',
    says: /index one_name is not part of it/,
  },
  'an added column': {
    sql: 'ALTER TABLE pets ADD COLUMN price INTEGER NOT NULL DEFAULT 0',
    says: /table pets is different/,
  },
  'a renamed column': {
    sql: 'ALTER TABLE api_keys RENAME COLUMN digest TO hash',
    says: /table api_keys is different/,
  },
  'a table without its constraints': {
    sql: `DROP TABLE idempotency_keys;
      CREATE TABLE idempotency_keys (owner, key, fingerprint, result, created_at);
      CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at)`,
    says: /table idempotency_keys is different/,
  },
  'a wrong count': {
    sql: "UPDATE inventory SET pets = pets + 1 WHERE status = 'sold'",
    says: /inventory counts 1 sold, but there are 0/,
  },
  'a missing count': {
    sql: "DELETE FROM inventory WHERE status = 'sold'",
    says: /table inventory has 2 rows instead of 3/,
  },
  'a wrong count of a category': {
    sql: 'UPDATE category_inventory SET available = available + 1, sold = sold + 1',
    says: /categories whose animals are counted wrongly: 1, the first is 7/,
  },
  'a missing count of a category': {
    sql: 'DELETE FROM category_inventory',
    says: /categories whose animals are counted wrongly: 1, the first is 7/,
  },
  'a count of a category without animals': {
    sql: 'INSERT INTO category_inventory (category_id, available, pending, sold) VALUES (-5, 0, 0, 1)',
    says: /categories whose animals are counted wrongly: 1, the first is -5/,
  },
  'counts of categories that add up, but not each of them': {
    sql: `UPDATE category_inventory SET pending = pending - 1;
      INSERT INTO category_inventory (category_id, available, pending, sold) VALUES (8, 0, 1, 0)`,
    says: /categories whose animals are counted wrongly: 2, the first is 7/,
  },
  'an emptied table that the program fills itself': {
    sql: 'DELETE FROM key_removals',
    says: /table key_removals has 0 rows instead of 1/,
  },
  'an open order of an animal that is for sale again': {
    sql: "UPDATE pets SET status = 'available'",
    says: /open orders of an animal that is not pending: 1/,
  },
  'an open order of a removed animal': {
    sql: `INSERT INTO removed_pets (id, name, category_id, status, folded_name, removed_at)
        SELECT id, name, category_id, status, folded_name, 1 FROM pets WHERE status = 'pending';
      DELETE FROM pets WHERE status = 'pending'`,
    says: /open orders of an animal that is not pending: 1/,
  },
  'a key with an unknown scope': {
    sql: "UPDATE api_keys SET scopes = 'pets:read pets:feed'",
    says: /API keys with the scopes "pets:read pets:feed", which this version does not know: 1/,
  },
  'an event that is not JSON': {
    sql: "UPDATE events SET content = '{' WHERE id = 1",
    says: /events whose content is not a JSON object: 1/,
  },
  'an event that is JSON, but no object': {
    sql: "UPDATE events SET content = '[]' WHERE id = 1",
    says: /events whose content is not a JSON object: 1/,
  },
  'an order of no animal': {
    sql: 'UPDATE orders SET pet_id = 99',
    says: /orders without an animal: 1/,
  },
};
