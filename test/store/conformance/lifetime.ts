import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError } from '../../../src/contract/errors.ts';
import type { NewPet } from '../../../src/contract/pet.ts';
import type { Store } from '../../../src/store/store.ts';
import type { Abilities, Open } from '../conformance.ts';

const rex: NewPet = { name: 'Rex', categoryId: 7n, status: 'available' };
const key = { name: 'till 3', digest: 'd' };

const writes: Record<string, (store: Store) => Promise<unknown>> = {
  createPet: (store) => store.createPet(rex),
  'createPet with Once': (store) => store.createPet(rex, { owner: 'o', key: 'k', fingerprint: 'f' }),
  createKey: (store) => store.createKey(key),
  createFirstKey: (store) => store.createFirstKey(key),
  revokeKey: (store) => store.revokeKey('1'),
  recordKeyUse: (store) => store.recordKeyUse([{ id: '1', at: new Date() }]),
  ready: (store) => store.ready(),
};

const isUnavailable = (error: unknown) => error instanceof ApiError && error.code === 'unavailable';

export function lifetime(open: Open, { lasting }: Abilities): void {
  it('is ready, and a probe adds nothing that anyone sees', async (t) => {
    const { store } = await open(t);
    await Promise.all([store.ready(), store.ready(), store.createPet(rex), store.ready()]);
    assert.equal((await store.listPets({ limit: 10 })).length, 1);
    assert.deepEqual(await store.listKeys(), []);
  });

  describe('closed', () => {
    it('has finished the writes that were under way', async (t) => {
      const { store, close } = await open(t);
      const underWay = Array.from({ length: 50 }, () => store.createPet(rex));
      let settled = 0;
      for (const write of underWay) void write.finally(() => settled++);
      await close();
      assert.equal(settled, 50);
      assert.equal(new Set((await Promise.all(underWay)).map(({ value }) => value.id)).size, 50);
    });

    for (const [name, write] of Object.entries(writes)) {
      it(`refuses ${name} as unavailable`, async (t) => {
        const { store, close } = await open(t);
        const closing = close();
        await assert.rejects(write(store), isUnavailable, 'while it closes');
        await closing;
        await assert.rejects(write(store), isUnavailable, 'when it is closed');
      });
    }

    if (!lasting) return;

    it('has lost no write that it acknowledged, and kept none that it refused', async (t) => {
      const { store, close, reopen } = await open(t);
      const acknowledged = Array.from({ length: 50 }, () => store.createPet(rex));
      const closing = close();
      await assert.rejects(store.createPet({ ...rex, name: 'too late' }), isUnavailable);
      await closing;
      const ids = (await Promise.all(acknowledged)).map(({ value }) => value.id);
      const kept = await (await reopen()).listPets({ limit: 100 });
      assert.deepEqual(new Set(kept.map(({ id }) => id)), new Set(ids));
    });
  });
}
