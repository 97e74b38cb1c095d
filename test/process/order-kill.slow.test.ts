import assert from 'node:assert/strict';
import { join } from 'node:path';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Order } from '../../src/contract/order.ts';
import type { Pet } from '../../src/contract/pet.ts';
import { assertConsistent } from '../support/database/consistency.ts';
import { ordersIn } from '../support/database/database.ts';
import { spawnService } from '../support/service/process.ts';
import { call, temporaryFolder } from '../support/service/service.ts';

const ROUNDS = 5;
const CLIENTS = 16;

/** Creates animals and orders and closes orders until the service has ended; records what was acknowledged. */
async function trade(origin: string, acknowledged: Map<number, Order['status']>): Promise<void> {
  try {
    for (let n = 0; ; n++) {
      const pet = await call(origin, 'POST', '/v1/pets', { body: { name: 'Rex', categoryId: 1 } });
      const petId = (pet.json as Partial<Pet>).id;
      const placed = await call(origin, 'POST', '/v1/store/orders', { body: { petId } });
      if (placed.status !== 201) continue;
      const id = Number((placed.json as Order).id);
      acknowledged.set(id, 'placed');
      const status = (['completed', 'cancelled'] as const)[n % 3];
      if (status === undefined) continue;
      const answer = await call(origin, 'PATCH', `/v1/store/orders/${id}`, { body: { status } });
      if (answer.status === 200) acknowledged.set(id, status);
    }
  } catch {
    // The service was killed. Requests without a response may or may not have been executed.
  }
}

it('kill -9 of one or both processes on a file under load never leaves an order inconsistent with its animal', async (t) => {
  const file = join(await temporaryFolder(t), 'pets.db');
  const acknowledged = new Map<number, Order['status']>();
  for (let round = 1; round <= ROUNDS; round++) {
    const env = { DATABASE_URL: `sqlite:${file}` };
    const services = await Promise.all([spawnService(t, env), spawnService(t, env)]);
    const clients = services.flatMap(({ origin }) =>
      Array.from({ length: CLIENTS / 2 }, () => trade(origin, acknowledged)),
    );
    for (const { child, exited } of services) {
      const enough = acknowledged.size + CLIENTS;
      while (acknowledged.size < enough) await sleep(5);
      child.kill('SIGKILL');
      await exited;
    }
    await Promise.all(clients);
    t.diagnostic(
      `round ${round}: ${acknowledged.size} acknowledged orders, ${check(file, acknowledged)} in the file`,
    );
  }
});

/** Checks the file as a restart would find it. Returns the number of orders. */
function check(file: string, acknowledged: ReadonlyMap<number, Order['status']>): number {
  assertConsistent(file);
  const orders = ordersIn(file);
  for (const [id, status] of acknowledged) {
    const stored = orders.get(id);
    assert.ok(
      stored === status || (status === 'placed' && stored !== undefined),
      `order ${id} was ${status}, is ${stored}`,
    );
  }
  return orders.size;
}
