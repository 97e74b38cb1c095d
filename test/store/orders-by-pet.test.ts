import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { it } from 'node:test';
import { orderReads } from '../../src/store/sqlite/orders.ts';
import { migrate } from '../../src/store/sqlite/schema/migrate.ts';

/** A database that remembers the statement that was prepared last. */
class Observed extends DatabaseSync {
  prepared = '';
  override prepare(sql: string) {
    this.prepared = sql;
    return super.prepare(sql);
  }
}

it('Orders of an animal in SQLite are read as ranges of one index in its order, with and without a status', (t) => {
  const db = new Observed(':memory:');
  t.after(() => db.close());
  migrate(db, ':memory:');
  const { listOrders } = orderReads(db);
  const expected = [
    [{}, '', 4],
    [{ from: { id: 9n } }, ' AND rowid<?', 4],
    [{ status: 'completed' }, '', 1],
    [{ status: 'completed', from: { id: 9n } }, ' AND rowid<?', 1],
  ] as const;
  for (const [query, range, ranges] of expected) {
    listOrders({ ...query, limit: 20, petId: 7n });
    const plan = db.prepare(`EXPLAIN QUERY PLAN ${db.prepared}`).all();
    const steps = plan.map(({ detail }) => String(detail));
    assert.deepEqual(
      steps.filter((step) => step.includes('orders')),
      Array(ranges).fill(
        `SEARCH orders USING INDEX orders_by_pet_and_status (pet_id=? AND status=?${range})`,
      ),
    );
    assert.ok(!steps.some((step) => step.includes('TEMP B-TREE')), steps.join());
  }
});
