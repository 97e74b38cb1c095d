import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setImmediate as nextTick } from 'node:timers/promises';
import { ApiError } from '../../../src/contract/errors.ts';
import type { NewPet } from '../../../src/contract/pet.ts';
import type { Store } from '../../../src/store/store.ts';
import { listOrders, listPets } from '../../support/lists.ts';
import type { Capabilities, Open, Opened } from '../conformance.ts';

const rex: NewPet = { name: 'Rex', categoryId: 7n, status: 'available' };
const idempotencyKey = { owner: '1', key: 'k', fingerprint: 'f' };

type Version = () => Promise<number>;

/** Every write that a client or an operator can see. */
const changes: [string, (store: Store) => Promise<unknown>][] = [
  ['a new animal', (store) => store.createPet(rex)],
  ['a new animal with an idempotency key', (store) => store.createPet(rex, { idempotencyKey })],
  ['an order', (store) => store.createOrder({ petId: 1n })],
  ['a completed order', (store) => store.updateOrder(1n, { status: 'completed' })],
  ['a key', (store) => store.createKey({ name: 'till 3', digest: 'd', scopes: ['*'] })],
  ['the use of a key', (store) => store.recordKeyUse([{ id: '1', at: new Date() }])],
  ['a revoked key', (store) => store.revokeKey('1')],
];

async function openWithVersion(t: TestContext, open: Open): Promise<Opened & { version: Version }> {
  const opened = await open(t);
  const { version } = opened.store;
  assert.ok(version, 'this store has no version');
  return { ...opened, version };
}

export function version(open: Open, { versioned }: Capabilities): void {
  if (!versioned) return;
  describe('has a version', () => {
    it('that a readiness probe changes, unless something was created within the last second', async (t) => {
      const { store, version } = await openWithVersion(t, open);
      t.mock.method(performance, 'now', () => 5000);
      const isProbed = async (change = (_store: Store): Promise<unknown> => Promise.resolve()) => {
        await change(store);
        const before = await version();
        await store.ready();
        return (await version()) !== before;
      };
      assert.equal(await isProbed(), true);
      // A write that may have stored nothing is no proof.
      assert.equal(await isProbed(() => store.updatePet(1n, {}).catch(() => {})), true);
      assert.equal(await isProbed(() => store.createPet(rex, { idempotencyKey })), false);
    });

    it('that changes with every write, before the write is acknowledged', async (t) => {
      const { store, version } = await openWithVersion(t, open);
      const met = new Set([await version()]);
      for (const [what, change] of changes) {
        await change(store);
        const now = await version();
        assert.ok(!met.has(now), `${what} leaves it at ${now}`);
        met.add(now);
      }
    });

    it('that does not change on reads', async (t) => {
      const { store, version } = await openWithVersion(t, open);
      await store.createPet(rex);
      const before = await version();
      await Promise.all([
        listPets(store, { limit: 10 }),
        store.getPet(1n),
        store.countPets(),
        store.listKeys(),
      ]);
      await listOrders(store, { limit: 10 });
      assert.equal(await version(), before);
    });

    it('that is unavailable after it has closed', async (t) => {
      const { close, version } = await openWithVersion(t, open);
      await close();
      await assert.rejects(version(), (error) => error instanceof ApiError && error.code === 'unavailable');
    });

    it('of exactly the state that a read in the same tick sees, during concurrent writes', async (t) => {
      const { store, version } = await openWithVersion(t, open);
      const newest = new Map<number, bigint>();
      let writing = true;
      async function look(): Promise<void> {
        while (writing) {
          const page = listPets(store, { limit: 1 });
          const [at, [pet]] = await Promise.all([version(), page]);
          const id = pet?.id ?? 0n;
          assert.equal(newest.get(at) ?? id, id, `version ${at} belongs to two states`);
          newest.set(at, id);
          await nextTick();
        }
      }
      const looking = [look(), look(), look()];
      for (let n = 0; n < 100; n++) {
        await Promise.all([store.createPet(rex), store.createPet(rex)]);
        await nextTick();
      }
      writing = false;
      await Promise.all(looking);
      assert.ok(newest.size > 10, `${newest.size} states were seen`);
    });
  });
}
