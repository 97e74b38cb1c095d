import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';

/** Opens the file as a restart would and asserts that it is whole, and that animals, orders and inventory agree. */
export function assertConsistent(file: string): void {
  const db = new DatabaseSync(file, { timeout: 5000 });
  try {
    // One snapshot, because a service may be writing.
    db.exec('BEGIN');
    const count = (sql: string) => Number(Object.values(db.prepare(sql).get() ?? {})[0]);
    assert.deepEqual(db.prepare('PRAGMA integrity_check').all().map(Object.values), [['ok']]);
    const placed = "SELECT pet_id FROM orders WHERE status = 'placed'";
    const completed = "SELECT pet_id FROM orders WHERE status = 'completed'";
    const unordered =
      "SELECT count(*) FROM pets WHERE status = 'pending' AND id IN (SELECT pet_id FROM orders)";
    assert.equal(count(`${unordered} AND id NOT IN (${placed})`), 0, 'pending animals without their order');
    assert.equal(count(`SELECT count(*) FROM pets WHERE status <> 'pending' AND id IN (${placed})`), 0);
    assert.equal(count(`SELECT count(*) FROM pets WHERE status <> 'sold' AND id IN (${completed})`), 0);
    assert.equal(count(`SELECT count(*) FROM (${placed} GROUP BY pet_id HAVING count(*) > 1)`), 0);
    for (const status of ['available', 'pending', 'sold']) {
      const counted = count(`SELECT pets FROM inventory WHERE status = '${status}'`);
      assert.equal(counted, count(`SELECT count(*) FROM pets WHERE status = '${status}'`), status);
    }
  } finally {
    db.close();
  }
}
