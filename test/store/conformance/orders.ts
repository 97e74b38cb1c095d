import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { OrderStatus, type OrderUpdate, petStatusUnder } from '../../../src/contract/order.ts';
import type { PetStatus } from '../../../src/contract/pet.ts';
import { transitions } from '../../../src/contract/rules/orders.ts';
import type { Store } from '../../../src/store/store.ts';
import { rejects } from '../../support/assert.ts';
import { storedEvents } from '../../support/events/events.ts';
import { listOrders, listPets } from '../../support/lists.ts';
import { orderIn, petIn } from '../../support/service/created.ts';
import type { Open } from '../conformance.ts';

const cancelled: OrderUpdate = { status: 'cancelled' };

async function addPet(store: Store, status: PetStatus = 'available'): Promise<bigint> {
  return petIn(await store.createPet({ name: 'Rex', categoryId: 1n, status })).id;
}

const statusOf = async (store: Store, id: bigint) => (await store.getPet(id))?.status;

/** Checks the counts, and that the lists contain as many animals. */
async function assertCounts(store: Store, available: bigint, pending: bigint, sold: bigint): Promise<void> {
  const counts = await store.countPets();
  assert.deepEqual(counts, { available, pending, sold });
  for (const status of ['available', 'pending', 'sold'] as const) {
    assert.equal((await listPets(store, { limit: 1000, status })).length, Number(counts[status]));
  }
}

export function orders(open: Open): void {
  describe('stores orders', () => {
    it('that sell the animal at once, with one event', async (t) => {
      const { store } = await open(t);
      const petId = await addPet(store);
      const sell = async (keyName: string) => {
        const options = {
          by: { keyId: '7', keyName },
          idempotencyKey: { owner: '7', key: 'k', fingerprint: 'f' },
        };
        return orderIn(await store.createOrder({ petId, status: 'completed', note: 'Ms Lee' }, options));
      };
      const sold = await sell('till "1"');
      assert.deepEqual(await sell('renamed'), sold);
      const { id, createdAt } = sold;
      const times = { createdAt, updatedAt: createdAt, completedAt: createdAt };
      const names = { createdBy: 'till "1"', completedBy: 'till "1"' };
      assert.deepEqual(sold, { id, petId, status: 'completed', note: 'Ms Lee', ...times, ...names });
      await assertCounts(store, 0n, 0n, 1n);
      const [, event, ...others] = (await storedEvents(store, 2)).map(({ json }) => JSON.parse(json));
      assert.deepEqual([event.type, event.pet.status, event.before], ['order.completed', 'sold', undefined]);
      assert.deepEqual(others, []);
      await rejects(store.createOrder({ petId, status: 'completed' }), 'pet_not_available');
      const correction = store.updatePet(petId, { status: 'available' });
      await assert.rejects(correction, {
        code: 'pet_sold_by_order',
        message: new RegExp(`rder ${id}\\b.*eturn`),
      });
    });

    it('for one of a hundred concurrent buyers, and again after a cancellation', async (t) => {
      const { store } = await open(t);
      const petId = await addPet(store);
      for (let round = 1; round <= 3; round++) {
        const results = await Promise.allSettled(
          Array.from({ length: 100 }, (_, i) =>
            store.createOrder({ petId, status: (i + round) % 2 === 0 ? 'placed' : 'completed' }),
          ),
        );
        assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1);
        const [order] = await listOrders(store, { limit: 1 });
        assert.ok(order);
        const ends = await Promise.allSettled(
          [cancelled, cancelled].map((end) => store.updateOrder(order.id, end)),
        );
        assert.deepEqual(ends.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
        assert.equal((await listOrders(store, { limit: 10 })).length, round);
      }
      await assertCounts(store, 1n, 0n, 0n);
    });

    it('that change as the table of transitions says, whatever was before, and records what the order was', async (t) => {
      const { store } = await open(t);
      const petId = await addPet(store);
      const by = (keyName: string) => ({ by: { keyId: '7', keyName } });
      const first = orderIn(await store.createOrder({ petId }, by('Ana')));
      let [order, events] = [first, 2];
      let soldBy: string | undefined;
      // Every transition of the table, one after the other.
      for (const status of [
        'completed',
        'placed',
        'cancelled',
        'placed',
        'completed',
        'returned',
        'completed',
        'cancelled',
      ] as const) {
        for (const other of OrderStatus.pipe[0].options.filter((one) => !transitions[order.status][one]))
          await rejects(
            store.updateOrder(order.id, { status: other, note: 'x' }),
            order.status === 'placed' && other === 'returned' ? 'order_not_completed' : 'order_closed',
          );
        // As another client knows the order, that has not seen the last change.
        const stale = status === 'returned' ? 'placed' : 'returned';
        if (order.status !== stale)
          await rejects(store.updateOrder(order.id, { status, from: stale }), 'order_closed');
        const update = { status, from: order.status };
        const changed = orderIn(await store.updateOrder(order.id, update, by(`till ${events}`)));
        const { type, before } = JSON.parse((await storedEvents(store, ++events)).at(-1)?.json ?? '');
        assert.deepEqual([type, before], [`order.${status}`, { orderStatus: order.status }]);
        assert.deepEqual([changed.createdAt, changed.createdBy], [first.createdAt, 'Ana']);
        if (order.status === 'returned') assert.equal(changed.completedAt, order.completedAt);
        const isSale = status === 'completed' || status === 'returned';
        soldBy = isSale ? (soldBy ?? `till ${events - 1}`) : undefined;
        assert.deepEqual(['completedAt' in changed, changed.completedBy], [isSale, soldBy]);
        assert.equal(await statusOf(store, petId), petStatusUnder[status]);
        const none = { available: 0n, pending: 0n, sold: 0n };
        assert.deepEqual(await store.countPets(), { ...none, [petStatusUnder[status]]: 1n });
        assert.deepEqual(await store.getOrder(order.id), changed);
        order = changed;
      }
      assert.deepEqual(await listOrders(store, { limit: 10, completedFrom: new Date(0) }), []);
      await store.createOrder({ petId });
      await rejects(store.updateOrder(order.id, { status: 'placed' }), 'pet_not_available');
    });
  });
}
