import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Category } from '../../../src/contract/category.ts';
import { INT64_MAX, INT64_MIN } from '../../../src/contract/int64.ts';
import type { Pet } from '../../../src/contract/pet.ts';
import type { Store } from '../../../src/store/store.ts';
import { rejects } from '../../support/assert.ts';
import { listCategories } from '../../support/lists.ts';
import { categoryIn, petIn, petsIn } from '../../support/service/created.ts';
import { countOutcomes } from '../../support/service/two-instances.ts';
import type { Open } from '../conformance.ts';

const rex = { name: 'Rex', categoryId: 1n, status: 'available' } as const;
const add = async (store: Store, pet: Partial<Pet> = {}): Promise<Pet> =>
  petIn(await store.createPet({ ...rex, ...pet }));
const create = async (store: Store, name: string): Promise<Category> =>
  categoryIn(await store.createCategory({ name }));

export function categories(open: Open): void {
  describe('names categories', () => {
    it('in order of name, found by the beginning of it, in pages', async (t) => {
      const { store } = await open(t);
      const names = ['dogs', 'Cats', 'Ängel', 'Doves', 'ants', 'dp', 'Straße'];
      for (const name of names) await create(store, name);
      const all = await listCategories(store, { limit: 9 });
      assert.deepEqual(
        all.map(({ name }) => name),
        ['ants', 'Cats', 'dogs', 'Doves', 'dp', 'Straße', 'Ängel'],
      );
      const found = async (name: string) =>
        (await listCategories(store, { limit: 9, name })).map((one) => one.name);
      assert.deepEqual(await found('DO'), ['dogs', 'Doves']);
      assert.deepEqual(await found('doGs'), ['dogs']);
      assert.deepEqual(await found('strass'), ['Straße']);
      const first = await store.listCategories({ limit: 4 });
      await store.removeCategory(all[4]?.id as bigint);
      assert.deepEqual(await listCategories(store, { limit: 9, from: first.next }), all.slice(5));
      assert.deepEqual(await store.getCategory(all[0]?.id as bigint), all[0]);
      assert.equal(await store.getCategory(INT64_MAX), undefined);
    });

    it('with names that are unique, ignoring case', async (t) => {
      const { store } = await open(t);
      const dogs = await create(store, 'Dogs');
      await rejects(create(store, 'DOGS'), 'category_exists');
      await rejects(store.setCategory({ id: 99n, name: 'dogs' }), 'category_exists');
      const renamed = await store.setCategory({ id: dogs.id, name: 'DOGS' });
      assert.deepEqual([categoryIn(renamed), renamed.status], [{ ...dogs, name: 'DOGS' }, 200]);
      assert.equal((await store.getCategory(dogs.id))?.name, 'DOGS');
      const long = 'ß'.repeat(999);
      await create(store, `${long}a`);
      await create(store, `${long}b`);
      await rejects(create(store, `${long}B`), 'category_exists');
      // Their keys are cut, and so are the same: only their ids tell where the next page begins.
      const { next } = await store.listCategories({ limit: 2 });
      const [last] = await listCategories(store, { limit: 9, from: next });
      assert.deepEqual([next?.id, last?.name], [last?.id, `${long}b`]);
      const results = await Promise.allSettled(Array.from({ length: 20 }, () => create(store, 'Cats')));
      assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1);
    });

    it('with an identifier that no category and no animal uses', async (t) => {
      const { store } = await open(t);
      const safe = BigInt(Number.MAX_SAFE_INTEGER);
      const named = [INT64_MIN, safe - 1n, safe, INT64_MAX];
      for (const id of named) await store.setCategory({ id, name: `Category ${id}` });
      for (const categoryId of [3n, 4n, INT64_MAX]) await add(store, { categoryId });
      await store.removePet((await add(store, { categoryId: 5n })).id);
      const results = await Promise.all(Array.from({ length: 30 }, (_, i) => create(store, `New ${i}`)));
      const ids = results.map(({ id }) => id);
      assert.equal(new Set(ids).size, 30);
      for (const used of [3n, 4n, 5n, ...named]) assert.ok(!ids.includes(used), `${used}`);
      for (const id of ids) assert.ok(id > 0n && id <= safe, `JavaScript cannot represent ${id}`);
      const used = await Promise.all(
        Array.from({ length: 300 }, (_, i) => add(store, { categoryId: BigInt(i) })),
      );
      const { id } = await create(store, 'After them');
      assert.ok(!used.some(({ categoryId }) => categoryId === id));
      // One animal has many of the next ones in turn, and another one the first after them.
      await add(store, { categoryId: id + 51n });
      const moves = [1n, ...Array.from({ length: 50 }, (_, i) => id + BigInt(i) + 1n)];
      const moving = moves.map((categoryId) => store.updatePet(used[0]?.id ?? 0n, { categoryId }));
      assert.notEqual((await create(store, 'Beside moves')).id, id + 51n);
      await Promise.all(moving);
    });

    it('with a random identifier if the next thousand are in use, and with the next one again when it is free', async (t) => {
      const { store } = await open(t);
      const { id: last } = await create(store, 'First');
      const next = Array.from({ length: 1001 }, (_, i) => ({ ...rex, categoryId: last + BigInt(i + 1) }));
      const pets = petsIn(await store.createPets(next));
      for (const name of ['Second', 'Third']) {
        const { id } = await create(store, name);
        assert.ok(id >= 2n ** 52n && id <= BigInt(Number.MAX_SAFE_INTEGER), `${id}`);
      }
      await store.updatePet(pets[499]?.id ?? 0n, { categoryId: last });
      assert.equal((await create(store, 'Fourth')).id, last + 500n);
      assert.equal((await create(store, 'Fifth')).id, last + 1002n);
    });

    it('with an identifier that no category has had, which can be named again all the same', async (t) => {
      const { store } = await open(t);
      const { id } = await create(store, 'Dogs');
      const had = [id, id + 1n, id + 3n, INT64_MIN];
      for (let round = 0; round < 2; round++) {
        for (const former of had) await store.setCategory({ id: former, name: `Category ${former}` });
        for (const former of had) await store.removeCategory(former);
        for (const name of ['Snakes', 'Cats', 'Birds']) {
          const created = await create(store, `${name} ${round}`);
          assert.ok(!had.includes(created.id), `${name} has ${created.id}, which was another category's`);
          had.push(created.id);
        }
      }
    });

    it('within a batch, in which each change sees those before it', async (t) => {
      const { store } = await open(t);
      await store.setCategory({ id: 7n, name: 'Fish' });
      const changes = [
        add(store, { categoryId: 7n }),
        store.removeCategory(7n),
        add(store, { categoryId: 1n }),
        store.setCategory({ id: 2n, name: 'Cats' }),
        store.setCategory({ id: 3n, name: 'Snakes' }),
        store.removeCategory(3n),
        create(store, 'BIRDS'),
        create(store, 'Birds'),
        create(store, 'Dogs'),
      ];
      assert.deepEqual(countOutcomes(await Promise.allSettled(changes)), {
        ok: 7,
        category_in_use: 1,
        category_exists: 1,
      });
      const named = await listCategories(store, { limit: 9 });
      assert.deepEqual(
        named.map(({ id, name }) => `${name} ${id}`),
        ['BIRDS 4', 'Cats 2', 'Dogs 5', 'Fish 7'],
      );
    });

    it('for identifiers that animals use, and removes a name only when no animal needs it', async (t) => {
      const { store } = await open(t);
      const pet = await add(store, { categoryId: 7n });
      assert.equal((await store.setCategory({ id: 7n, name: 'Dogs' })).status, 201);
      await rejects(store.removeCategory(7n), 'category_in_use');
      await rejects(store.removeCategory(8n), 'category_not_found');
      await store.removePet(pet.id);
      await store.removeCategory(7n);
      await rejects(store.removeCategory(7n), 'category_not_found');
      assert.deepEqual(await listCategories(store, { limit: 9 }), []);
      assert.equal(petIn(await store.restorePet(pet.id)).categoryId, 7n);
    });
  });
}
