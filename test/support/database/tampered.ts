/**
 * Changes of an SQLite database that leave every page intact, but not what the program relies on, each with what has to be said
 * about it. The database has animals, an order and a key.
 */
export const TAMPERED: Readonly<Record<string, { readonly sql: string; readonly says: RegExp }>> = {
  'a dropped table': { sql: 'DROP TABLE orders', says: /no such table: (?:main\.)?orders/ },
  'a name that is no valid UTF-8': {
    sql: "UPDATE pets SET name = CAST(x'52ff78' AS TEXT) WHERE id = 1",
    says: /animals whose name is damaged: 1, the first is 1/,
  },
  'a name that is read as if it were valid UTF-8': {
    sql: "UPDATE pets SET name = CAST(x'f0bfbd' AS TEXT), folded_name = char(0xfffd) WHERE id = 1",
    says: /animals whose name is damaged: 1, the first is 1/,
  },
  'a name that does not match its folded form': {
    sql: "UPDATE pets SET name = 'Tom' WHERE id = 1",
    says: /animals whose name is damaged: 1, the first is 1/,
  },
  'a folded form that does not match its name': {
    sql: "UPDATE pets SET folded_name = 'TOM' WHERE id = 1",
    says: /animals whose name is damaged: 1, the first is 1/,
  },
  'a name that the contract does not allow': {
    sql: "UPDATE pets SET name = '', folded_name = '' WHERE id = 1",
    says: /animals whose name is damaged: 1, the first is 1/,
  },
  'a damaged reason': {
    sql: `INSERT INTO removed_pets (id, name, category_id, status, folded_name, removed_at, reason)
      VALUES (98, 'Tom', 7, 'sold', 'TOM', 1, CAST(x'ff' AS TEXT)), (97, 'Tom', 7, 'sold', 'TOM', 1, 'died'), (96, 'Tom', 7, 'sold', '', 1, NULL)`,
    says: /removed animals whose name or reason is damaged: 2, the first is 96/,
  },
  'the name of a category with another key': {
    sql: "INSERT INTO categories (id, name, name_key, name_digest) VALUES (7, 'Dogs', 'CATS', 'd')",
    says: /categories whose name is damaged: 1, the first is 7/,
  },
  'a note with another folded form': {
    sql: "UPDATE orders SET note = 'for Ms Lee'",
    says: /orders whose note or key name is damaged: 1, the first is 1/,
  },
  'an order of a key without a name': {
    sql: "UPDATE orders SET created_by = ''",
    says: /orders whose note or key name is damaged: 1, the first is 1/,
  },
  'a wrong count': {
    sql: "UPDATE inventory SET pets = pets + 1 WHERE status = 'sold'",
    says: /inventory counts 1 sold, but there are 0/,
  },
  'a missing count': {
    sql: "DELETE FROM inventory WHERE status = 'sold'",
    says: /inventory counts no sold, but there are 0/,
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
  'a name of a key that is no valid UTF-8': {
    sql: "UPDATE api_keys SET name = CAST(x'ff' AS TEXT)",
    says: /API keys whose name is damaged: 1, the first is 1/,
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
  'a missing event': {
    sql: 'UPDATE events SET id = id + 1 WHERE id = 2',
    says: /events are missing: 1/,
  },
  'an order of no animal': {
    sql: 'UPDATE orders SET pet_id = 99',
    says: /orders without an animal: 1/,
  },
};
