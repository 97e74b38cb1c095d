import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError } from '../../../src/contract/errors.ts';
import { INT64_MIN } from '../../../src/contract/int64.ts';
import type { NewPet } from '../../../src/contract/pet.ts';
import { entityTag } from '../../../src/contract/precondition.ts';
import type { IdempotencyKey, Result, Store, WriteOptions } from '../../../src/store/store.ts';
import { rejects } from '../../support/assert.ts';
import { storedEvents } from '../../support/events/events.ts';
import { listPets } from '../../support/lists.ts';
import { orderIn, petIn } from '../../support/service/created.ts';
import type { Open } from '../conformance.ts';

const rex: NewPet = { name: 'Rex "\\\t\u2028 \u{1F436}', categoryId: INT64_MIN, status: 'pending' };
const ada: NewPet = { name: 'Ada', categoryId: 8n, status: 'sold' };
const rexFree: NewPet = { ...rex, status: 'available' };
const first: IdempotencyKey = { owner: '1', key: 'k', fingerprint: 'rex' };
const other: IdempotencyKey = { ...first, fingerprint: 'ada' };

const isReused = (error: unknown) => error instanceof ApiError && error.code === 'idempotency_key_reused';

const namesIn = async (store: Store) => (await listPets(store, { limit: 1000 })).map(({ name }) => name);

type Ids = Readonly<Record<'pet' | 'removed' | 'order', bigint>>;

/** Every change, on a store with an animal, a removed one, an order of another and category 8. */
const changes: Readonly<Record<string, (store: Store, ids: Ids, options: WriteOptions) => Promise<Result>>> =
  {
    createPet: (store, _, options) => store.createPet(rex, options),
    createPets: (store, _, options) => store.createPets([ada], options),
    updatePet: (store, { pet }, options) => store.updatePet(pet, { name: 'Tom' }, options),
    removePet: (store, { pet }, options) => store.removePet(pet, 'died', options),
    restorePet: (store, { removed }, options) => store.restorePet(removed, options),
    'createOrder of a reservation': (store, { pet }, options) => store.createOrder({ petId: pet }, options),
    'createOrder of a sale': (store, { pet }, options) =>
      store.createOrder({ petId: pet, status: 'completed' }, options),
    updateOrder: (store, { order }, options) => store.updateOrder(order, { status: 'cancelled' }, options),
    createCategory: (store, _, options) => store.createCategory({ name: 'Dogs' }, options),
    'setCategory of a new one': (store, _, options) => store.setCategory({ id: 7n, name: 'Dogs' }, options),
    'setCategory of another name': (store, _, options) =>
      store.setCategory({ id: 8n, name: 'Dogs' }, options),
    removeCategory: (store, _, options) => store.removeCategory(8n, options),
  };

export function idempotency(open: Open): void {
  describe('with an idempotency key', () => {
    for (const [name, change] of Object.entries(changes))
      it(`does ${name} once, and returns the first result again, whatever has happened since`, async (t) => {
        const { store } = await open(t);
        const pet = petIn(await store.createPet(rexFree));
        const removed = petIn(await store.createPet({ ...ada, categoryId: 9n }));
        await store.removePet(removed.id);
        await store.setCategory({ id: 8n, name: 'Cats' });
        const order = orderIn(await store.createOrder({ petId: petIn(await store.createPet(rexFree)).id }));
        const ids = { pet: pet.id, removed: removed.id, order: order.id };
        const all = await Promise.all(
          Array.from({ length: 20 }, () => change(store, ids, { idempotencyKey: first })),
        );
        const [result, ...more] = all.filter(({ replayed }) => !replayed);
        assert.ok(result);
        assert.deepEqual(more, []);
        assert.ok(all.every(({ json, status }) => json === result.json && status === result.status));
        assert.equal((await storedEvents(store, 7)).length, 7);
        // Something else happens to the same animal and category, after which the change would be refused or have another result.
        await store.updatePet(pet.id, { name: 'Later', categoryId: 8n }).catch(() => {});
        await store.createPet({ ...ada, categoryId: 7n });
        const again = await change(store, ids, { idempotencyKey: first });
        assert.deepEqual(again, { ...result, replayed: true });
        await assert.rejects(change(store, ids, { idempotencyKey: other }), isReused);
      });

    it('remembers a change that changes nothing', async (t) => {
      const { store } = await open(t);
      const pet = petIn(await store.createPet(rex));
      const same = await store.updatePet(pet.id, {}, { idempotencyKey: first });
      await store.updatePet(pet.id, { name: 'Later' });
      const again = await store.updatePet(pet.id, {}, { idempotencyKey: first });
      assert.deepEqual(again, { ...same, replayed: true });
    });

    it('decides a precondition once, and does not remember a refusal', async (t) => {
      const { store } = await open(t);
      const created = await store.createPet(rex);
      const { id } = petIn(created);
      const options = { precondition: { ifMatch: [entityTag(created.json)] }, idempotencyKey: first };
      const wrong = { ...options, precondition: { ifMatch: ['"other"'] } };
      await rejects(store.updatePet(id, { name: 'Tom' }, wrong), 'precondition_failed');
      const renamed = await store.updatePet(id, { name: 'Tom' }, options);
      assert.equal(renamed.replayed, false);
      assert.deepEqual(await store.updatePet(id, { name: 'Tom' }, options), { ...renamed, replayed: true });
    });

    it('accepts one of two concurrent fingerprints and rejects the other', async (t) => {
      const { store } = await open(t);
      const calls = Array.from({ length: 50 }, (_, i) =>
        i % 2 === 0
          ? store.createPet(rex, { idempotencyKey: first })
          : store.createPet(ada, { idempotencyKey: other }),
      );
      const results = await Promise.allSettled(calls);
      const [winner, ...more] = await namesIn(store);
      assert.deepEqual(more, []);
      for (const [i, result] of results.entries()) {
        if ((i % 2 === 0 ? rex : ada).name === winner) assert.equal(result.status, 'fulfilled');
        else assert.ok(result.status === 'rejected' && isReused(result.reason));
      }
    });

    it('distinguishes owners and keys that differ in any character', async (t) => {
      const { store } = await open(t);
      const pairs = [
        ['1', 'k'],
        ['2', 'k'],
        ['1', 'K'],
        ['1', 'k '],
        ['', '1k'],
        ['1k', ''],
        ['a', 'bc'],
        ['ab', 'c'],
      ];
      const use = async ([owner = '', key = '']: string[]) => {
        const idempotencyKey = { owner, key, fingerprint: `of ${owner}` };
        const { replayed } = await store.createPet(rex, { idempotencyKey });
        assert.equal(replayed, false, `${owner}, ${key}`);
      };
      await Promise.all(pairs.map(use));
      assert.equal((await namesIn(store)).length, pairs.length);
    });
  });
}
