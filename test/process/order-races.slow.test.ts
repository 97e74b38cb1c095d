import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import type { Order } from '../../src/contract/order.ts';
import type { Pet } from '../../src/contract/pet.ts';
import { spawnService } from '../support/service/process.ts';
import { call, temporaryFolder } from '../support/service/service.ts';

/** Several processes on one database file. */
async function startServices(t: TestContext, count: number): Promise<string[]> {
  const DATABASE_URL = `sqlite:${join(await temporaryFolder(t), 'pets.db')}`;
  const services = await Promise.all(Array.from({ length: count }, () => spawnService(t, { DATABASE_URL })));
  return services.map(({ origin }) => origin);
}

async function addPet(origin: string): Promise<Pet> {
  return (await call(origin, 'POST', '/v1/pets', { body: { name: 'Rex', categoryId: 1 } })).json as Pet;
}

function tally(statuses: number[]): Record<number, number> {
  return Object.fromEntries(
    Object.entries(Object.groupBy(statuses, (status) => status)).map(([status, all]) => [
      status,
      all?.length,
    ]),
  ) as Record<number, number>;
}

describe('of a hundred concurrent buyers of one animal', () => {
  it('exactly one gets it, with three processes on one file', async (t) => {
    const services = await startServices(t, 3);
    const [first = ''] = services;
    for (let round = 0; round < 5; round++) {
      const { id } = await addPet(first);
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, i) =>
          call(services[i % services.length] as string, 'POST', '/v1/store/orders', {
            body: { petId: id },
          }),
        ),
      );
      assert.deepEqual(tally(answers.map(({ status }) => status)), { 201: 1, 409: 99 });
      const orders = (await call(first, 'GET', '/v1/store/orders?limit=100')).json as Order[];
      assert.equal(orders.filter(({ petId }) => petId === id).length, 1);
    }
    t.diagnostic('5 animals, 100 buyers each, three processes: 5 orders');
    assert.equal(
      (await call(first, 'GET', '/v1/store/inventory')).text,
      '{"available":0,"pending":5,"sold":0}',
    );
  });
});

describe('of concurrent attempts to complete and cancel one order', () => {
  it('exactly one succeeds, and the status of the animal matches it', async (t) => {
    const services = await startServices(t, 2);
    const [first = ''] = services;
    for (let round = 0; round < 20; round++) {
      const { id: petId } = await addPet(first);
      const { id } = (await call(first, 'POST', '/v1/store/orders', { body: { petId } })).json as Order;
      const answers = await Promise.all(
        ['completed', 'cancelled', 'completed', 'cancelled'].map((status, i) =>
          call(services[(round + i) % 2] as string, 'PATCH', `/v1/store/orders/${id}`, { body: { status } }),
        ),
      );
      assert.deepEqual(tally(answers.map(({ status }) => status)), { 200: 1, 409: 3 });
      const winner = answers.find(({ status }) => status === 200)?.json as Order;
      const [pet] = (await call(first, 'GET', `/v1/pets?id=${petId}`)).json as Pet[];
      assert.equal(pet?.status, winner.status === 'completed' ? 'sold' : 'available');
    }
  });
});
