import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';

/**
 * Opens the file as a restart would and asserts that it is whole, and that animals, orders and inventory agree. Every animal
 * must have been created as available.
 */
export function assertConsistent(file: string): void {
  const db = new DatabaseSync(file, { timeout: 5000 });
  try {
    // One snapshot, because a service may be writing.
    db.exec('BEGIN');
    const count = (sql: string) => Number(Object.values(db.prepare(sql).get() ?? {})[0]);
    assert.deepEqual(db.prepare('PRAGMA integrity_check').all().map(Object.values), [['ok']]);
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
    for (const status of ['available', 'pending', 'sold']) {
      const counted = count(`SELECT pets FROM inventory WHERE status = '${status}'`);
      assert.equal(counted, count(`SELECT count(*) FROM pets WHERE status = '${status}'`), status);
    }
  } finally {
    db.close();
  }
}
