import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError } from '../../../src/contract/errors.ts';
import type { NewPet } from '../../../src/contract/pet.ts';
import type { NewApiKey, Store } from '../../../src/store/store.ts';
import { listPets } from '../../support/lists.ts';
import { petIn } from '../../support/service/created.ts';
import type { Capabilities, Open } from '../conformance.ts';

const rex: NewPet = { name: 'Rex', categoryId: 7n, status: 'available' };
const key: NewApiKey = { name: 'till 3', digest: 'd', scopes: ['*'] };

const writes: Record<string, (store: Store) => Promise<unknown>> = {
  createPet: (store) => store.createPet(rex),
  'createPet with an idempotency key': (store) =>
    store.createPet(rex, { owner: 'o', key: 'k', fingerprint: 'f' }),
  createKey: (store) => store.createKey(key),
  createFirstKey: (store) => store.createFirstKey(key),
  revokeKey: (store) => store.revokeKey('1'),
  recordKeyUse: (store) => store.recordKeyUse([{ id: '1', at: new Date() }]),
  ready: (store) => store.ready(),
};

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
    it('has finished the pending writes', async (t) => {
      const { store, close } = await open(t);
      const pending = Array.from({ length: 50 }, () => store.createPet(rex));
      let settled = 0;
      for (const write of pending) void write.finally(() => settled++);
      await close();
      assert.equal(settled, 50);
      assert.equal(new Set((await Promise.all(pending)).map((created) => petIn(created).id)).size, 50);
    });

    for (const [name, write] of Object.entries(writes)) {
      it(`refuses ${name} as unavailable`, async (t) => {
        const { store, close } = await open(t);
        const closing = close();
        await assert.rejects(write(store), isUnavailable, 'while it is closing');
        await closing;
        await assert.rejects(write(store), isUnavailable, 'after it has closed');
      });
    }

    if (!persistent) return;

    it('has lost no acknowledged write and stored no refused one', async (t) => {
      const { store, close, reopen } = await open(t);
      const acknowledged = Array.from({ length: 50 }, () => store.createPet(rex));
      const closing = close();
      await assert.rejects(store.createPet({ ...rex, name: 'too late' }), isUnavailable);
      await closing;
      const ids = (await Promise.all(acknowledged)).map((created) => petIn(created).id);
      const kept = await listPets(await reopen(), { limit: 100 });
      assert.deepEqual(new Set(kept.map(({ id }) => id)), new Set(ids));
    });
  });
}
