import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Order } from '../../src/contract/order.ts';
import { type Pet, type PetStatus, PetStatus as statuses } from '../../src/contract/pet.ts';
import { type Service, startService } from '../support/service.ts';

/** A minimal model of the store operations, which the real service is compared with. */
class Model {
  readonly pets: PetStatus[] = [];
  readonly orders: { petId: number; status: Order['status'] }[] = [];

  create(status: PetStatus): number {
    this.pets.push(status);
    return 201;
  }

  order(petId: number): number {
    const status = this.pets[petId - 1];
    if (status === undefined) return 404;
    if (status !== 'available') return 409;
    this.pets[petId - 1] = 'pending';
    this.orders.push({ petId, status: 'placed' });
    return 201;
  }

  update(orderId: number, status: 'completed' | 'cancelled'): number {
    const order = this.orders[orderId - 1];
    if (order === undefined) return 404;
    if (order.status !== 'placed') return 409;
    order.status = status;
    this.pets[order.petId - 1] = status === 'completed' ? 'sold' : 'available';
    return 200;
  }
}

type Step = (model: Model, service: Service) => Promise<void>;

const id = fc.integer({ min: 1, max: 12 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.constantFrom<PetStatus>('available', 'available', 'available', 'pending', 'sold').map((status): Step => {
    return async (model, service) => {
      const answer = await service.call('POST', '/v1/pets', { body: { name: 'Rex', categoryId: 1, status } });
      assert.equal(answer.status, model.create(status));
    };
  }),
  id.map(
    (petId): Step =>
      async (model, service) => {
        const answer = await service.call('POST', '/v1/store/orders', { body: { petId } });
        assert.equal(answer.status, model.order(petId));
      },
  ),
  fc.tuple(id, fc.constantFrom('completed' as const, 'cancelled' as const)).map(([orderId, status]): Step => {
    return async (model, service) => {
      const answer = await service.call('PATCH', `/v1/store/orders/${orderId}`, { body: { status } });
      assert.equal(answer.status, model.update(orderId, status));
    };
  }),
);

describe('any sequence of creates, orders, completions and cancellations', () => {
  it('results in the animals, orders, filters and counts of the model', async (t) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 60 }), async (steps) => {
        const service = await startService(t, { database: 'sqlite::memory:' });
        const model = new Model();
        for (const take of steps) await take(model, service);
        await compare(model, service);
      }),
      { numRuns: 40 },
    );
  });
});

async function compare(model: Model, service: Service): Promise<void> {
  const pets = (await service.call('GET', '/v1/pets?limit=100')).json as Pet[];
  assert.deepEqual(pets.map(({ status }) => status).reverse(), model.pets);
  const orders = (await service.call('GET', '/v1/store/orders?limit=100')).json as Order[];
  assert.deepEqual(
    orders.map(({ petId, status }) => ({ petId: Number(petId), status })).reverse(),
    model.orders,
  );
  const counts = (await service.call('GET', '/v1/store/inventory')).json as Record<PetStatus, number>;
  for (const status of statuses.pipe[0].options) {
    const listed = (await service.call('GET', `/v1/pets?limit=100&status=${status}`)).json as Pet[];
    assert.ok(listed.every((pet) => pet.status === status));
    assert.equal(counts[status], listed.length);
    assert.equal(counts[status], model.pets.filter((one) => one === status).length);
  }
}
