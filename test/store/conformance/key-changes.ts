import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTick } from 'node:timers/promises';
import type { Store } from '../../../src/store/store.ts';
import type { Open } from '../conformance.ts';

const createKeys = (store: Store, count: number) =>
  Promise.all(
    Array.from({ length: count }, (_, n) =>
      store.createKey({ name: `key ${n}`, digest: `${n}`, scopes: ['*'] }),
    ),
  );

/** Every change after this number, in pages of two. */
async function changesAfter(store: Store, after: number): Promise<{ id: string; change: number }[]> {
  const { keys } = await store.listKeyChanges(after, 2);
  const last = keys.at(-1);
  return last ? [...keys, ...(await changesAfter(store, last.change))] : [];
}

const idsOf = (keys: readonly { id: string }[]) => keys.map(({ id }) => id);

export function keyChanges(open: Open): void {
  describe('lists changes of API keys', () => {
    it('with each key once, in the order of its latest change, page by page', async (t) => {
      const { store } = await open(t);
      const { now, ...none } = await store.listKeyChanges(0, 10);
      assert.deepEqual(none, { keys: [], latest: 0, removals: 0 });
      assert.ok(Math.abs(now.getTime() - Date.now()) < 10_000, 'the clock of the store');
      await createKeys(store, 5);
      const all = await changesAfter(store, 0);
      assert.deepEqual(idsOf(all).toSorted(), idsOf(await store.listKeys()).toSorted());
      assert.equal(new Set(all.map(({ change }) => change)).size, 5);
      assert.deepEqual(
        all.map(({ change }) => change),
        all.map(({ change }) => change).toSorted((a, b) => a - b),
      );
      const { latest } = await store.listKeyChanges(0, 1);
      assert.equal(latest, all.at(-1)?.change);
    });

    it('with only the new state of a revoked key', async (t) => {
      const { store } = await open(t);
      const [first] = await createKeys(store, 3);
      const { latest } = await store.listKeyChanges(0, 1);
      const { id, revokedAt } = await store.revokeKey(first?.id ?? '');
      const { keys, latest: now, removals } = await store.listKeyChanges(latest, 10);
      assert.deepEqual(keys, [{ ...(await store.getKey(id)), change: now }]);
      assert.ok(revokedAt && now > latest);
      assert.deepEqual(keys[0]?.revokedAt, revokedAt);
      assert.equal(removals, 0);
    });

    it('without the use of a key or changes to animals', async (t) => {
      const { store } = await open(t);
      const [key] = await createKeys(store, 2);
      const before = await store.listKeyChanges(0, 1);
      await store.recordKeyUse([{ id: key?.id ?? '', at: new Date() }]);
      await store.createPet({ name: 'Rex', categoryId: 7n, status: 'available' });
      await store.createOrder({ petId: 1n });
      await store.ready();
      const { now, ...after } = await store.listKeyChanges(before.latest, 10);
      assert.deepEqual(after, { keys: [], latest: before.latest, removals: before.removals });
    });

    it('in the order in which they become visible, during concurrent changes', async (t) => {
      const { store } = await open(t);
      const seen: string[] = [];
      let after = 0;
      const look = async () => {
        const { keys } = await store.listKeyChanges(after, 1000);
        seen.push(...idsOf(keys));
        after = keys.at(-1)?.change ?? after;
      };
      let creating = true;
      const creates = createKeys(store, 20).finally(() => {
        creating = false;
      });
      while (creating) {
        await look();
        await nextTick();
      }
      await look();
      assert.deepEqual(seen.toSorted(), idsOf(await creates).toSorted());
    });
  });
}
