import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { INT64_MAX, INT64_MIN } from '../../../src/contract/int64.ts';
import type { Order } from '../../../src/contract/order.ts';
import type { OrderQuery, Store } from '../../../src/store/store.ts';
import { rejects } from '../../support/assert.ts';
import { storedEvents } from '../../support/events/events.ts';
import { hasWords, walkOrders } from '../../support/lists.ts';
import { orderIn, petIn } from '../../support/service/created.ts';
import type { Open } from '../conformance.ts';

async function place(store: Store, note?: string): Promise<Order> {
  const { id } = petIn(await store.createPet({ name: 'Rex', categoryId: 1n, status: 'available' }));
  return orderIn(await store.createOrder({ petId: id, note }));
}

/** The documented rule in plain words: all matches, the latest completion first where a time is given. */
function matches(orders: readonly Order[], query: Omit<OrderQuery, 'limit'>): Order[] {
  const { status, petIds, note = '', completedFrom, completedBefore } = query;
  const byCompletion = completedFrom !== undefined || completedBefore !== undefined;
  const keyOf = ({ completedAt }: Order): string => (byCompletion ? (completedAt ?? '') : '');
  return orders
    .filter((order) => status === undefined || order.status === status)
    .filter((order) => petIds === undefined || petIds.includes(order.petId))
    .filter((order) => hasWords(order.note ?? '', note))
    .filter(({ completedAt }) => !byCompletion || completedAt !== undefined)
    .filter(({ completedAt = '' }) => !completedFrom || completedAt >= completedFrom.toISOString())
    .filter(({ completedAt = '' }) => !completedBefore || completedAt < completedBefore.toISOString())
    .toSorted((a, b) => keyOf(b).localeCompare(keyOf(a)) || (a.id > b.id ? -1 : 1));
}

export function completions(open: Open): void {
  describe('knows when an order was completed', () => {
    it('and finds orders by that time and by their note, as the documented rule says', async (t) => {
      const { store } = await open(t);
      const notes = [undefined, 'Ms Lee', 'For "Ömer"', 'lee, Friday', 'SLEEVE'];
      const all: Order[] = [];
      for (let i = 0; i < 40; i++) {
        const order = await place(store, notes[i % notes.length]);
        all.push(order);
        // Not in the order of their ids, and some of them in the same millisecond.
        if (i % 10 === 9) await Promise.all(all.slice(-7).map(({ id }, at) => finish(store, id, at)));
        if (i % 20 === 9) await sleep(3);
      }
      // Some animals have several orders, with others in between.
      for (const { petId } of all.toReversed())
        all.push(
          ...(await store.createOrder({ petId, note: 'Again' }).then(
            (made) => [orderIn(made)],
            () => [],
          )),
        );
      const stored = await Promise.all(all.map(async ({ id }) => (await store.getOrder(id)) as Order));
      const times = stored.flatMap(({ completedAt }) => (completedAt ? [new Date(completedAt)] : []));
      assert.ok(times.length > 10);
      const anyTime = fc.option(
        fc.constantFrom(...times, ...times.map((time) => new Date(time.getTime() + 1)), new Date(0)),
        { nil: undefined, freq: 2 },
      );
      const anyQuery = fc.record({
        limit: fc.integer({ min: 1, max: 9 }),
        completedFrom: anyTime,
        completedBefore: anyTime,
        status: fc.option(fc.constantFrom('placed', 'completed', 'returned', 'cancelled'), {
          nil: undefined,
          freq: 3,
        }),
        note: fc.option(fc.constantFrom('lee', 'LÉE', 'omer', 'friday lee', 'lee x'), {
          nil: undefined,
          freq: 2,
        }),
        petIds: fc.option(
          fc.uniqueArray(fc.constantFrom(...stored.map(({ petId }) => petId), INT64_MAX, INT64_MIN), {
            minLength: 1,
            maxLength: 30,
          }),
          { nil: undefined },
        ),
      });
      await fc.assert(
        fc.asyncProperty(anyQuery, async (query) => {
          assert.deepEqual(await walkOrders(store, query), matches(stored, query));
        }),
        { numRuns: 200 },
      );
    });
  });

  describe('changes the note of an order', () => {
    it('while it is open and after it is closed, with or without a status, and records it', async (t) => {
      const { store } = await open(t);
      const { id, petId } = await place(store);
      const by = { keyId: '7', keyName: 'till' };
      assert.equal(orderIn(await store.updateOrder(id, { note: 'Ms Lee' }, { by })).note, 'Ms Lee');
      const completed = orderIn(
        await store.updateOrder(id, { status: 'completed', note: 'Ms Lee, paid' }, { by }),
      );
      assert.deepEqual([completed.status, completed.note], ['completed', 'Ms Lee, paid']);
      await sleep(5);
      const without = orderIn(await store.updateOrder(id, { note: null }, { by }));
      assert.equal('note' in without, false);
      assert.deepEqual([without.status, without.completedAt], ['completed', completed.completedAt]);
      assert.ok(without.updatedAt > completed.updatedAt);
      await rejects(store.updateOrder(id, { status: 'completed', note: 'lost' }), 'order_closed');
      await rejects(store.updateOrder(id + 1n, { note: 'x' }), 'order_not_found');
      assert.deepEqual(await store.getOrder(id), without);
      // The animal stays as the order has left it.
      assert.equal((await store.getPet(petId))?.status, 'sold');
      const events = (await storedEvents(store, 5)).slice(2).map(({ json }) => JSON.parse(json));
      assert.deepEqual(
        events.map(({ type, keyId, order, pet, before }) => [
          type,
          keyId,
          order.note,
          pet.status,
          before?.note,
        ]),
        [
          ['order.updated', '7', 'Ms Lee', 'pending', null],
          ['order.completed', '7', 'Ms Lee, paid', 'sold', 'Ms Lee'],
          ['order.updated', '7', undefined, 'sold', 'Ms Lee, paid'],
        ],
      );
    });

    it('of an animal that was removed', async (t) => {
      const { store } = await open(t);
      const { id, petId } = await place(store, 'Ms Lee');
      await store.updateOrder(id, { status: 'completed' });
      await store.removePet(petId);
      assert.equal(orderIn(await store.updateOrder(id, { note: 'Mr Lee' })).note, 'Mr Lee');
      assert.equal(await store.getPet(petId), undefined);
      assert.deepEqual(await walkOrders(store, { limit: 9, petIds: [petId] }), [await store.getOrder(id)]);
    });
  });
}

async function finish(store: Store, id: bigint, at: number): Promise<void> {
  await store.updateOrder(id, { status: at === 5 ? 'cancelled' : 'completed' }).catch(() => {});
  if (at % 3 === 2) await store.updateOrder(id, { status: 'returned' }).catch(() => {});
}
