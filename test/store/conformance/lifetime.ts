import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError } from '../../../src/contract/errors.ts';
import { INT64_MAX } from '../../../src/contract/int64.ts';
import type { NewPet, Pet } from '../../../src/contract/pet.ts';
import type { NewApiKey, Store } from '../../../src/store/store.ts';
import { rejects } from '../../support/assert.ts';
import { listCategories, listOrders, listPets, listRemovedPets } from '../../support/lists.ts';
import { categoryIn, orderIn, petIn } from '../../support/service/created.ts';
import type { Capabilities, Open } from '../conformance.ts';

const rex: NewPet = { name: 'Rex', categoryId: 7n, status: 'available' };
const key: NewApiKey = { name: 'till 3', digest: 'd', scopes: ['*'] };

const writes: Record<string, (store: Store) => Promise<unknown>> = {
  createPet: (store) => store.createPet(rex),
  'createPet with an idempotency key': (store) => store.createPet(rex, { idempotencyKey }),
  createKey: (store) => store.createKey(key),
  createFirstKey: (store) => store.createFirstKey(key),
  revokeKey: (store) => store.revokeKey('1'),
  recordKeyUse: (store) => store.recordKeyUse([{ id: '1', at: new Date() }]),
  ready: (store) => store.ready(),
};

const idempotencyKey = { owner: 'o', key: 'k', fingerprint: 'f' };

/** Names that a careless store would trim, normalize or truncate. */
const NAMES = [' Rex\t', 'é', 'e\u0301', '\uFEFFRex', '%_\\', '\u0001\n\u2028', '🐶'.repeat(1000)];

/** Everything that a client or an operator can read. */
async function contentOf(store: Store) {
  const all = { limit: 1000 };
  return {
    pets: await listPets(store, all),
    removed: await listRemovedPets(store, all),
    categories: await listCategories(store, all),
    counts: [await store.countPets(), await store.countPets(INT64_MAX)],
    orders: await listOrders(store, all),
    completed: await listOrders(store, { ...all, completedFrom: new Date(0), note: 'omer' }),
    events: (await store.listEvents(all)).events,
    keys: await store.listKeys(),
  };
}

const isUnavailable = (error: unknown) => error instanceof ApiError && error.code === 'unavailable';

export function lifetime(open: Open, { persistent }: Capabilities): void {
  it('is ready, and a readiness check adds no data that a client can see', async (t) => {
    const { store } = await open(t);
    await Promise.all([store.ready(), store.ready(), store.createPet(rex), store.ready()]);
    assert.equal((await listPets(store, { limit: 10 })).length, 1);
    assert.deepEqual(await store.listKeys(), []);
  });

  it('reports its size', async (t) => {
    const { store } = await open(t);
    const size = await store.size();
    assert.ok(Number.isSafeInteger(size) && size >= 4096, String(size));
    await Promise.all(Array.from({ length: 200 }, () => store.createPet({ ...rex, name: 'x'.repeat(1000) })));
    assert.ok((await store.size()) > size);
  });

  describe('closed', () => {
    it('has finished the pending writes, and refuses others, whether it is closing or closed', async (t) => {
      const { store, close, reopen } = await open(t);
      const pending = Array.from({ length: 50 }, () => store.createPet(rex));
      let settled = 0;
      for (const write of pending) void write.finally(() => settled++);
      const closing = close();
      for (const [name, write] of Object.entries(writes))
        await assert.rejects(write(store), isUnavailable, `${name} while it is closing`);
      await closing;
      for (const [name, write] of Object.entries(writes))
        await assert.rejects(write(store), isUnavailable, `${name} after it has closed`);
      assert.equal(settled, 50);
      const ids = (await Promise.all(pending)).map((created) => petIn(created).id);
      assert.equal(new Set(ids).size, 50);
      if (!persistent) return;
      const kept = await listPets(await reopen(), { limit: 100 });
      assert.deepEqual(new Set(kept.map(({ id }) => id)), new Set(ids));
    });

    if (!persistent) return;

    it('and reopened, returns everything unchanged, and goes on from there', async (t) => {
      const { store, reopen } = await open(t);
      const dogs = categoryIn(await store.createCategory({ name: 'Dogs' }));
      const pets = [];
      for (const [i, name] of NAMES.entries())
        pets.push(petIn(await store.createPet({ ...rex, name, categoryId: INT64_MAX - BigInt(i) })));
      const [sold, removed, pending, renamed] = pets as [Pet, Pet, Pet, Pet];
      await store.updatePet(renamed.id, { name: 'Ängström', categoryId: dogs.id });
      await store.removePet(removed.id, 'died');
      const order = orderIn(await store.createOrder({ petId: sold.id }));
      await store.updateOrder(order.id, { status: 'completed', note: 'Ömer' });
      await store.createOrder({ petId: pending.id });
      const created = await store.createPet(rex, { idempotencyKey });
      await store.createKey(key);
      await store.createKey({ ...key, digest: 'e', expiresAt: new Date('2027-03-04T05:06:07.089Z') });
      await store.revokeKey('1');
      await store.recordKeyUse([{ id: '1', at: new Date() }]);
      // The last one is gone, and yet its id is not given again.
      const { id: last } = petIn(await store.createPet(rex));
      await store.removePet(last);
      const before = await contentOf(store);
      const again = await reopen();
      assert.deepEqual(await contentOf(again), before);
      assert.deepEqual(
        (await listPets(again, { limit: 9, name: 'GSTROM' })).map(({ id }) => id),
        [renamed.id],
      );
      assert.deepEqual(await again.createPet(rex, { idempotencyKey }), { ...created, replayed: true });
      await rejects(
        again.createPet(rex, { idempotencyKey: { ...idempotencyKey, fingerprint: 'g' } }),
        'idempotency_key_reused',
      );
      assert.ok(petIn(await again.createPet(rex)).id > last);
      assert.deepEqual(await again.countPets(rex.categoryId), { available: 2n, pending: 0n, sold: 0n });
    });
  });
}
