import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { ApiError } from '../../../src/contract/errors.ts';
import { INT64_MIN } from '../../../src/contract/int64.ts';
import type { NewPet } from '../../../src/contract/pet.ts';
import type { IdempotencyKey, Store } from '../../../src/store/store.ts';
import { listPets } from '../../support/lists.ts';
import { petIn } from '../../support/service/created.ts';
import type { Open } from '../conformance.ts';
import { anyPet } from './animals.ts';

const rex: NewPet = { name: 'Rex \u{1F436}', categoryId: INT64_MIN, status: 'pending' };
const ada: NewPet = { name: 'Ada', categoryId: 8n, status: 'sold' };
const first: IdempotencyKey = { owner: '1', key: 'k', fingerprint: 'rex' };
const other: IdempotencyKey = { ...first, fingerprint: 'ada' };

const isReused = (error: unknown) => error instanceof ApiError && error.code === 'idempotency_key_reused';

const namesIn = async (store: Store) => (await listPets(store, { limit: 1000 })).map(({ name }) => name);

export function idempotency(open: Open): void {
  describe('with an idempotency key', () => {
    it('adds an animal at most once, and returns the first result again', async (t) => {
      const { store } = await open(t);
      const created = await store.createPet(rex, { idempotencyKey: first });
      assert.deepEqual([petIn(created), created.replayed], [{ id: 1n, ...rex }, false]);
      await store.createPet(ada);
      for (let i = 0; i < 3; i++)
        assert.deepEqual(await store.createPet(rex, { idempotencyKey: first }), {
          ...created,
          replayed: true,
        });
      assert.deepEqual(await namesIn(store), [ada.name, rex.name]);
    });

    it('returns any animal again exactly as it was', async (t) => {
      const { store } = await open(t);
      let key = 0;
      await fc.assert(
        fc.asyncProperty(anyPet, async (pet) => {
          const idempotencyKey = { ...first, key: `${key++}` };
          const created = await store.createPet(pet, { idempotencyKey });
          const again = await store.createPet(pet, { idempotencyKey });
          assert.deepEqual(again, { ...created, replayed: true });
        }),
      );
    });

    it('adds one animal for a hundred concurrent calls', async (t) => {
      const { store } = await open(t);
      const results = await Promise.all(
        Array.from({ length: 100 }, () => store.createPet(rex, { idempotencyKey: first })),
      );
      assert.equal(results.filter(({ replayed }) => !replayed).length, 1);
      for (const result of results) assert.deepEqual(petIn(result), { id: 1n, ...rex });
      assert.deepEqual(await namesIn(store), [rex.name]);
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
      for (const [owner = '', key = ''] of pairs) {
        const idempotencyKey = { owner, key, fingerprint: `of ${owner}` };
        const { replayed } = await store.createPet(rex, { idempotencyKey });
        assert.equal(replayed, false, `${owner}, ${key}`);
      }
      assert.equal((await namesIn(store)).length, pairs.length);
    });

    it('does not let a rejected call affect concurrent writes', async (t) => {
      const { store } = await open(t);
      await store.createPet(rex, { idempotencyKey: first });
      const results = await Promise.allSettled(
        Array.from({ length: 60 }, (_, i) =>
          i % 3 === 1
            ? store.createPet(ada, { idempotencyKey: other })
            : store.createPet(
                { ...rex, name: `good ${i}` },
                { idempotencyKey: { ...first, key: `good ${i}` } },
              ),
        ),
      );
      const good: string[] = [];
      for (const [i, result] of results.entries()) {
        assert.equal(result.status, i % 3 === 1 ? 'rejected' : 'fulfilled');
        if (result.status === 'fulfilled') good.push(petIn(result.value).name);
        else assert.ok(isReused(result.reason));
      }
      assert.equal(good.length, 40);
      assert.deepEqual((await namesIn(store)).toSorted(), [...good, rex.name].toSorted());
    });
  });
}
