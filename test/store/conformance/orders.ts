import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { INT64_MAX } from '../../../src/contract/int64.ts';
import { type OrderUpdate, orderJson } from '../../../src/contract/order.ts';
import type { PetStatus } from '../../../src/contract/pet.ts';
import type { Store } from '../../../src/store/store.ts';
import { rejects } from '../../support/assert.ts';
import { listOrders, listPets, textOf } from '../../support/lists.ts';
import { orderIn, petIn } from '../../support/service/created.ts';
import type { Capabilities, Open } from '../conformance.ts';

const completed: OrderUpdate = { status: 'completed' };
const cancelled: OrderUpdate = { status: 'cancelled' };
const returned: OrderUpdate = { status: 'returned' };
const idempotencyKey = { owner: '1', key: 'k', fingerprint: 'f' };

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

export function orders(open: Open, { persistent }: Capabilities): void {
  describe('stores orders', () => {
    it('and makes the animal pending when ordered, sold when completed, available when cancelled', async (t) => {
      const { store } = await open(t);
      const [a, b] = [await addPet(store), await addPet(store)];
      await assertCounts(store, 2n, 0n, 0n);
      const created = await store.createOrder({ petId: a });
      const first = orderIn(created);
      assert.deepEqual([first.petId, first.status, created.replayed], [a, 'placed', false]);
      assert.equal(first.createdAt, first.updatedAt);
      const second = orderIn(await store.createOrder({ petId: b }));
      await assertCounts(store, 0n, 2n, 0n);
      const sold = await store.updateOrder(first.id, completed);
      assert.deepEqual(sold, {
        ...first,
        ...completed,
        updatedAt: sold.updatedAt,
        completedAt: sold.updatedAt,
      });
      await store.updateOrder(second.id, cancelled);
      assert.deepEqual([await statusOf(store, a), await statusOf(store, b)], ['sold', 'available']);
      await assertCounts(store, 1n, 0n, 1n);
    });

    it('and returns one by its identifier as it is now', async (t) => {
      const { store } = await open(t);
      const order = orderIn(await store.createOrder({ petId: await addPet(store) }));
      assert.deepEqual(await store.getOrder(order.id), order);
      const closed = await store.updateOrder(order.id, completed);
      assert.deepEqual(await store.getOrder(order.id), closed);
      for (const id of [0n, order.id + 1n, INT64_MAX]) assert.equal(await store.getOrder(id), undefined);
    });

    it('only for an available animal', async (t) => {
      const { store } = await open(t);
      for (const status of ['pending', 'sold'] as const) {
        const id = await addPet(store, status);
        await rejects(store.createOrder({ petId: id }), 'pet_not_available');
        assert.equal(await statusOf(store, id), status);
      }
      await rejects(store.createOrder({ petId: INT64_MAX }), 'pet_not_found');
      assert.deepEqual(await listOrders(store, { limit: 10 }), []);
      await assertCounts(store, 0n, 1n, 1n);
    });

    it('and closes each exactly once', async (t) => {
      const { store } = await open(t);
      for (const end of [completed, cancelled]) {
        const { id } = orderIn(await store.createOrder({ petId: await addPet(store) }));
        const closed = await store.updateOrder(id, end);
        for (const again of [completed, cancelled])
          await rejects(store.updateOrder(id, again), 'order_closed');
        assert.equal(textOf(await store.listOrders({ limit: 1 })), `[${orderJson(closed)}]`);
      }
      await rejects(store.updateOrder(INT64_MAX, completed), 'order_not_found');
      await assertCounts(store, 1n, 0n, 1n);
    });

    it('for one of a hundred concurrent buyers, and again after a cancellation', async (t) => {
      const { store } = await open(t);
      const petId = await addPet(store);
      for (let round = 1; round <= 3; round++) {
        const results = await Promise.allSettled(
          Array.from({ length: 100 }, () => store.createOrder({ petId })),
        );
        assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1);
        const [order] = await listOrders(store, { limit: 10, status: 'placed' });
        assert.ok(order);
        const ends = await Promise.allSettled(
          [cancelled, cancelled].map((end) => store.updateOrder(order.id, end)),
        );
        assert.deepEqual(ends.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
        assert.equal((await listOrders(store, { limit: 10 })).length, round);
      }
      await assertCounts(store, 1n, 0n, 0n);
    });

    it('and lists them newest first, by status, below an id', async (t) => {
      const { store } = await open(t);
      for (let i = 0; i < 6; i++) await store.createOrder({ petId: await addPet(store) });
      const ids = async (query: Parameters<Store['listOrders']>[0]) =>
        (await listOrders(store, query)).map(({ id }) => id);
      const all = await ids({ limit: 10 });
      assert.deepEqual(
        all,
        all.toSorted((a, b) => (a < b ? 1 : -1)),
      );
      const [, second, third] = all as [bigint, bigint, bigint];
      await store.updateOrder(second, completed);
      assert.deepEqual(await ids({ limit: 2, from: { id: second } }), all.slice(1, 3));
      assert.deepEqual(await ids({ limit: 10, status: 'completed' }), [second]);
      assert.deepEqual(await ids({ limit: 1, status: 'placed', from: { id: second } }), [third]);
    });

    it('with a note, and finds those of one animal, even a removed one', async (t) => {
      const { store } = await open(t);
      const [a, b] = [await addPet(store), await addPet(store)];
      const note = 'Für "Ömer" \u{1f436}\n until 5 pm';
      const key = { ...idempotencyKey, key: 'note' };
      const noted = orderIn(await store.createOrder({ petId: a, note }, key));
      assert.equal(noted.note, note);
      await store.updateOrder(noted.id, completed);
      const plain = orderIn(await store.createOrder({ petId: b }));
      assert.equal(plain.note, undefined);
      assert.equal(textOf(await store.listOrders({ limit: 9, petId: b })), `[${orderJson(plain)}]`);
      await store.removePet(a);
      const [found] = await listOrders(store, { limit: 9, petId: a, status: 'completed' });
      assert.deepEqual([found?.id, found?.note], [noted.id, note]);
      assert.deepEqual(await listOrders(store, { limit: 9, petId: a, status: 'placed' }), []);
      assert.deepEqual(await listOrders(store, { limit: 9, petId: INT64_MAX }), []);
      const again = await store.createOrder({ petId: a, note }, key);
      assert.deepEqual([orderIn(again), again.replayed], [noted, true]);
    });

    it('and takes a completed sale back, once, while the animal is as it was sold', async (t) => {
      const { store } = await open(t);
      const petId = await addPet(store);
      const first = orderIn(await store.createOrder({ petId }));
      await rejects(store.updateOrder(first.id, returned), 'order_not_completed');
      await store.updateOrder(first.id, completed);
      const results = await Promise.allSettled(
        Array.from({ length: 10 }, () => store.updateOrder(first.id, returned)),
      );
      assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1);
      assert.equal(await statusOf(store, petId), 'available');
      assert.equal((await store.getOrder(first.id))?.status, 'returned');
      await rejects(store.updateOrder(first.id, returned), 'order_closed');
      await rejects(store.updateOrder(first.id, cancelled), 'order_closed');
      await rejects(store.updateOrder(INT64_MAX, returned), 'order_not_found');

      const second = orderIn(await store.createOrder({ petId }));
      await store.updateOrder(second.id, completed);
      await rejects(store.updateOrder(first.id, returned), 'order_closed');
      await store.removePet(petId);
      await rejects(store.updateOrder(second.id, returned), 'pet_not_sold');
      assert.equal((await store.getOrder(second.id))?.status, 'completed');
      await assertCounts(store, 0n, 0n, 0n);
      await store.restorePet(petId);
      await store.updateOrder(second.id, returned);
      await assertCounts(store, 1n, 0n, 0n);
    });

    it('at most once with an idempotency key, which a refused call does not use up', async (t) => {
      const { store } = await open(t);
      const petId = await addPet(store, 'sold');
      await rejects(store.createOrder({ petId }, idempotencyKey), 'pet_not_available');
      const free = await addPet(store);
      const results = await Promise.all(
        Array.from({ length: 20 }, () => store.createOrder({ petId: free }, idempotencyKey)),
      );
      assert.equal(results.filter(({ replayed }) => !replayed).length, 1);
      const [json = '', ...others] = new Set(results.map((created) => created.json));
      assert.deepEqual(others, []);
      await store.updateOrder(orderIn({ json }).id, cancelled);
      const again = await store.createOrder({ petId: free }, idempotencyKey);
      assert.deepEqual(again, { json, replayed: true });
      assert.equal(await statusOf(store, free), 'available');
      await rejects(
        store.createOrder({ petId: free }, { ...idempotencyKey, fingerprint: 'g' }),
        'idempotency_key_reused',
      );
    });

    it('finds animals by their ids', async (t) => {
      const { store } = await open(t);
      const ids = [await addPet(store), await addPet(store, 'sold'), await addPet(store)] as const;
      const found = async (query: Omit<Parameters<Store['listPets']>[0], 'limit'>) =>
        (await listPets(store, { limit: 10, ...query })).map(({ id }) => id);
      assert.deepEqual(await found({ ids: [ids[0], ids[2], INT64_MAX] }), [ids[2], ids[0]]);
      assert.deepEqual(await found({ ids, status: 'sold' }), [ids[1]]);
      assert.deepEqual(await found({ ids, from: { id: ids[1] } }), [ids[1], ids[0]]);
      assert.deepEqual(await found({ ids: [INT64_MAX] }), []);
    });

    if (!persistent) return;
    it('and returns them, their animals and the counts unchanged after it is reopened', async (t) => {
      const { store, reopen } = await open(t);
      const petId = await addPet(store);
      const order = orderIn(await store.createOrder({ petId }));
      await addPet(store, 'sold');
      const again = await reopen();
      assert.deepEqual(await listOrders(again, { limit: 10 }), [order]);
      await assertCounts(again, 0n, 1n, 1n);
      await again.updateOrder(order.id, completed);
      await assertCounts(again, 0n, 0n, 2n);
    });
  });
}
