import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Author } from '../../../src/contract/event.ts';
import type { EventPosition } from '../../../src/contract/event-id.ts';
import { INT64_MAX, INT64_MIN } from '../../../src/contract/int64.ts';
import { parseJson } from '../../../src/contract/json.ts';
import type { EventQuery, Store, StoredEvent } from '../../../src/store/store.ts';
import { rejects } from '../../support/assert.ts';
import { storedEvents } from '../../support/events/events.ts';
import { categoryIn, orderIn, petIn } from '../../support/service/created.ts';
import type { Open } from '../conformance.ts';

const by: Author = { keyId: '7', keyName: 'Web shop "1"' };
const idempotencyKey = { owner: '1', key: 'k', fingerprint: 'f' };
const rex = { name: 'Rex', categoryId: 1n, status: 'available' } as const;

/** What an event says besides its id and its time. */
function contentOf({ json }: StoredEvent): Record<string, unknown> {
  const { id, at, ...content } = parseJson(json) as Record<string, unknown>;
  assert.equal(typeof id, 'string');
  assert.ok(Math.abs(Date.parse(String(at)) - Date.now()) < 600_000);
  return content;
}

async function typesOf(store: Store, count: number, query: Partial<EventQuery> = {}): Promise<string[]> {
  return (await storedEvents(store, count, query)).map(({ type }) => type);
}

export function events(open: Open): void {
  describe('stores events', () => {
    it('one for each change of an animal, with its author and what has changed', async (t) => {
      const { store } = await open(t);
      const pet = petIn(await store.createPet(rex, { by }));
      const { id } = pet;
      await store.updatePet(id, { name: 'Rexona', categoryId: INT64_MIN }, { by });
      await store.updatePet(id, { status: 'sold', categoryId: INT64_MIN });
      await store.removePet(id, 'died', { by });
      await store.restorePet(id, { by });
      const author = { keyId: '7', keyName: 'Web shop "1"' };
      const nobody = { keyId: null, keyName: null };
      const created = { id: Number(id), name: 'Rex', categoryId: 1, status: 'available' };
      const renamed = { ...created, name: 'Rexona', categoryId: INT64_MIN };
      const sold = { ...renamed, status: 'sold' };
      const found = await storedEvents(store, 5);
      const [, , , removal] = found.map(contentOf) as { pet?: { removedAt?: string } }[];
      const removedAt = removal?.pet?.removedAt;
      assert.match(removedAt ?? '', /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
      assert.deepEqual(found.map(contentOf), [
        { type: 'pet.created', ...author, pet: created },
        { type: 'pet.updated', ...author, pet: renamed, before: { name: 'Rex', categoryId: 1 } },
        { type: 'pet.updated', ...nobody, pet: sold, before: { status: 'available' } },
        { type: 'pet.removed', ...author, pet: { ...sold, removedAt, reason: 'died' } },
        { type: 'pet.restored', ...author, pet: sold },
      ]);
      assert.ok(found.every((event) => event.petId === id));
    });

    it('of orders, with the animal as the order leaves it', async (t) => {
      const { store } = await open(t);
      const pet = petIn(await store.createPet(rex));
      const note = 'for "Ada" \u2028';
      const order = orderIn(await store.createOrder({ petId: pet.id, note }, { by }));
      await store.updateOrder(order.id, { status: 'completed' }, { by });
      const last = (await storedEvents(store, 3)).map(contentOf).at(-1);
      const stored = { ...(await store.getOrder(order.id)), id: Number(order.id), petId: Number(pet.id) };
      const sold = { ...pet, id: Number(pet.id), categoryId: Number(pet.categoryId), status: 'sold' };
      const before = { orderStatus: 'placed' };
      assert.deepEqual(last, { type: 'order.completed', ...by, order: stored, pet: sold, before });
    });

    it('of categories', async (t) => {
      const { store } = await open(t);
      const dogs = categoryIn(await store.createCategory({ name: 'Dogs' }, { by }));
      await store.setCategory({ id: dogs.id, name: 'Big "dogs"' }, { by });
      await store.setCategory({ id: INT64_MAX, name: 'Cats' }, { by });
      await store.removeCategory(INT64_MAX, { by });
      const author = { keyId: '7', keyName: 'Web shop "1"' };
      const id = Number(dogs.id);
      const cats = { id: INT64_MAX, name: 'Cats' };
      assert.deepEqual((await storedEvents(store, 4)).map(contentOf), [
        { type: 'category.created', ...author, category: { id, name: 'Dogs' } },
        {
          type: 'category.renamed',
          ...author,
          category: { id, name: 'Big "dogs"' },
          before: { name: 'Dogs' },
        },
        { type: 'category.created', ...author, category: cats },
        { type: 'category.removed', ...author, category: cats },
      ]);
    });

    it('none for a refusal, a replay, or a change that changes nothing', async (t) => {
      const { store } = await open(t);
      const pet = petIn(await store.createPet(rex, { idempotencyKey }));
      const dogs = categoryIn(await store.createCategory({ name: 'Dogs' }));
      const order = orderIn(await store.createOrder({ petId: pet.id }));
      assert.ok((await store.createPet(rex, { idempotencyKey })).replayed);
      await store.updatePet(pet.id, {});
      await store.updatePet(pet.id, { name: 'Rex', categoryId: 1n, status: 'pending' });
      await store.setCategory(dogs);
      await store.updateOrder(order.id, { note: null });
      await rejects(store.updatePet(pet.id, { status: 'sold' }), 'pet_has_open_order');
      await rejects(
        store.updatePet(pet.id, { name: 'A' }, { precondition: { ifMatch: ['"other"'] } }),
        'precondition_failed',
      );
      await rejects(store.removePet(pet.id), 'pet_has_open_order');
      await rejects(store.restorePet(pet.id), 'pet_not_removed');
      await rejects(store.createOrder({ petId: pet.id }), 'pet_not_available');
      await rejects(store.updateOrder(order.id, { status: 'returned' }), 'order_not_completed');
      await rejects(store.createCategory({ name: 'dogs' }), 'category_exists');
      await rejects(store.setCategory({ id: 99n, name: 'DOGS' }), 'category_exists');
      await rejects(store.removeCategory(99n), 'category_not_found');
      await store.setCategory({ id: 1n, name: 'Cats' });
      await rejects(store.removeCategory(1n), 'category_in_use');
      await store.createPet(rex);
      assert.deepEqual(await typesOf(store, 5), [
        'pet.created',
        'category.created',
        'order.placed',
        'category.created',
        'pet.created',
      ]);
    });

    it('in pages of any size, which together have each event once', async (t) => {
      const { store } = await open(t);
      const pet = petIn(await store.createPet(rex));
      for (let i = 0; i < 30; i++) await store.updatePet(pet.id, { name: `${i}` });
      const all = await storedEvents(store, 31);
      for (const limit of [1, 2, 7, 30, 31, 32]) {
        const walked: StoredEvent[] = [];
        let after: EventPosition | undefined;
        for (;;) {
          const { events: page, next } = await store.listEvents({ limit, after });
          walked.push(...page);
          assert.deepEqual(next, walked.length < 31 ? page.at(-1)?.position : undefined);
          if (!next) break;
          after = next;
        }
        assert.deepEqual(walked, all);
      }
      const newest = all.at(-1)?.position;
      assert.deepEqual(await store.latestEvent(), newest);
      assert.deepEqual(await store.listEvents({ limit: 5, after: newest }), { events: [], next: undefined });
    });

    it('and rejects a position that none of them has', async (t) => {
      const { store } = await open(t);
      assert.equal(await store.latestEvent(), undefined);
      assert.deepEqual(await store.listEvents({ limit: 1 }), { events: [], next: undefined });
      await store.createPet(rex);
      const [event] = await storedEvents(store, 1);
      const { id, at } = (event as StoredEvent).position;
      for (const after of [
        { id: 0n, at },
        { id: id + 1n, at },
        { id, at: new Date(at.getTime() + 1) },
        { id: INT64_MAX, at },
        { id: INT64_MIN, at: new Date(8.64e15) },
      ])
        for (const types of [undefined, ['pet.created'] as const])
          await rejects(store.listEvents({ limit: 1, after, types }), 'cursor_expired');
      await store.listEvents({ limit: 1, after: { id, at } });
    });
  });
}
