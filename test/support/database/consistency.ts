import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { categoryTable } from '../../../src/store/sqlite/categories.ts';
import { orderTable } from '../../../src/store/sqlite/orders.ts';
import { petTable, removedPetTable } from '../../../src/store/sqlite/pets.ts';
import { assertReplays, type FeedRow } from '../events/replay.ts';

type Count = (sql: string) => number;

/**
 * Opens the file as a restart would and asserts that it is whole, and that animals, orders and inventory agree. The status of
 * every animal must come from its orders, and with `feed`, everything from the events.
 */
export function assertConsistent(file: string, { feed = true } = {}): void {
  inspect(file, feed, (count) => {
    const placed = "SELECT pet_id FROM orders WHERE status = 'placed'";
    const completed = "SELECT pet_id FROM orders WHERE status = 'completed'";
    const pending = "SELECT count(*) FROM pets WHERE (status = 'pending')";
    assert.equal(
      count(`${pending} <> (id IN (${placed}))`),
      0,
      'pending without an order, or the other way round',
    );
    const sold = "SELECT count(*) FROM pets WHERE (status = 'sold')";
    assert.equal(
      count(`${sold} <> (id IN (${completed}))`),
      0,
      'sold without an order, or the other way round',
    );
    assert.equal(count(`SELECT count(*) FROM (${placed} GROUP BY pet_id HAVING count(*) > 1)`), 0);
    assertCounted(count);
  });
}

/** Asserts that the file is whole, that inventory and events agree with the animals, and that no removed animal is still there. */
export function assertCorrected(file: string): void {
  inspect(file, true, (count) => {
    assert.equal(count('SELECT count(*) FROM pets WHERE id IN (SELECT id FROM removed_pets)'), 0);
    assertCounted(count);
  });
}

function inspect(file: string, feed: boolean, check: (count: Count) => void): void {
  const db = new DatabaseSync(file, { timeout: 5000 });
  try {
    // One snapshot, because a service may be writing.
    db.exec('BEGIN');
    assert.deepEqual(db.prepare('PRAGMA integrity_check').all().map(Object.values), [['ok']]);
    if (feed) assertFeed(db);
    check((sql) => Number(Object.values(db.prepare(sql).get() ?? {})[0]));
  } finally {
    db.close();
  }
}

function assertFeed(db: DatabaseSync): void {
  const jsonOf = (json: string, table: string) =>
    db
      .prepare(`SELECT ${json} AS json FROM ${table}`)
      .all()
      .map((row) => String(row.json));
  const events = db.prepare('SELECT type, content FROM events ORDER BY id');
  assertReplays(events.iterate() as unknown as Iterable<FeedRow>, {
    pets: jsonOf(petTable.json, 'pets'),
    removed: jsonOf(removedPetTable.json, 'removed_pets'),
    orders: jsonOf(orderTable.json, 'orders'),
    categories: jsonOf(categoryTable.json, 'categories'),
  });
}

function assertCounted(count: Count): void {
  for (const status of ['available', 'pending', 'sold']) {
    const counted = count(`SELECT pets FROM inventory WHERE status = '${status}'`);
    assert.equal(counted, count(`SELECT count(*) FROM pets WHERE status = '${status}'`), status);
    const ofCategories = `SELECT count(*) FROM (
      SELECT category_id, ${status} FROM category_inventory WHERE ${status} <> 0
      EXCEPT SELECT category_id, count(*) FROM pets WHERE status = '${status}' GROUP BY category_id)`;
    assert.equal(count(ofCategories), 0, `${status} by category`);
    const inAll = count(`SELECT coalesce(sum(${status}), 0) FROM category_inventory`);
    assert.equal(inAll, counted, `${status} in all categories`);
  }
}
