import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Order } from '../../src/contract/order.ts';
import type { Pet } from '../../src/contract/pet.ts';
import { spawnService } from '../support/process.ts';
import { call, temporaryFolder } from '../support/service.ts';

const ROUNDS = 5;
const CLIENTS = 16;

/** Adds, orders and closes until the service is gone; tells every acknowledged order's last known status. */
async function trade(origin: string, acknowledged: Map<number, Order['status']>): Promise<void> {
  try {
    for (let turn = 0; ; turn++) {
      const pet = (await call(origin, 'POST', '/v1/pets', { body: { name: 'Rex', categoryId: 1 } }))
        .json as Pet;
      const order = (await call(origin, 'POST', '/v1/store/orders', { body: { petId: pet.id } }))
        .json as Order;
      acknowledged.set(Number(order.id), 'placed');
      const status = (['completed', 'cancelled'] as const)[turn % 3];
      if (status === undefined) continue;
      const answer = await call(origin, 'PATCH', `/v1/store/orders/${order.id}`, { body: { status } });
      if (answer.status === 200) acknowledged.set(Number(order.id), status);
    }
  } catch {
    // The service was killed: whatever was not answered may or may not have happened.
  }
}

it('kill -9 amid orders never parts an order from its animal', async (t) => {
  const file = join(await temporaryFolder(t), 'pets.db');
  const acknowledged = new Map<number, Order['status']>();
  for (let round = 1; round <= ROUNDS; round++) {
    const service = await spawnService(t, { DATABASE_URL: `sqlite:${file}` });
    const clients = Array.from({ length: CLIENTS }, () => trade(service.origin, acknowledged));
    await sleep(400 + round * 70);
    service.child.kill('SIGKILL');
    await Promise.all([service.exited, ...clients]);
    t.diagnostic(
      `round ${round}: ${acknowledged.size} acknowledged orders, ${check(file, acknowledged)} in the file`,
    );
  }
  assert.ok(acknowledged.size > ROUNDS * CLIENTS, 'the clients were too slow to show anything');
});

/** Opens the file as a restart would, and holds every row against the rules. The number of orders. */
function check(file: string, acknowledged: ReadonlyMap<number, Order['status']>): number {
  const db = new DatabaseSync(file);
  const count = (sql: string) => Number(Object.values(db.prepare(sql).get() ?? {})[0]);
  const orders = new Map(
    db
      .prepare('SELECT id, status FROM orders')
      .all()
      .map(({ id, status }) => [id, status]),
  );
  for (const [id, status] of acknowledged) {
    const kept = orders.get(id);
    assert.ok(
      kept === status || (status === 'placed' && kept !== undefined),
      `order ${id} was ${status}, is ${kept}`,
    );
  }
  const placed = "SELECT pet_id FROM orders WHERE status = 'placed'";
  assert.equal(count(`SELECT count(*) FROM pets WHERE status = 'pending' AND id NOT IN (${placed})`), 0);
  assert.equal(count(`SELECT count(*) FROM pets WHERE status <> 'pending' AND id IN (${placed})`), 0);
  const completed = "SELECT pet_id FROM orders WHERE status = 'completed'";
  assert.equal(count(`SELECT count(*) FROM pets WHERE (status = 'sold') <> (id IN (${completed}))`), 0);
  for (const status of ['available', 'pending', 'sold']) {
    const counted = count(`SELECT pets FROM inventory WHERE status = '${status}'`);
    assert.equal(counted, count(`SELECT count(*) FROM pets WHERE status = '${status}'`));
  }
  db.close();
  return orders.size;
}
