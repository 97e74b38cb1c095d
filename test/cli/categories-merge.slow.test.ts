import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { moveAnimals } from '../../src/cli/categories-merge.ts';
import type { PetStatus } from '../../src/contract/pet.ts';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';
import { bothStores } from '../support/database/both-stores.ts';
import { walkPets } from '../support/lists.ts';
import { runCommand } from '../support/service/command.ts';
import { petIn, petsIn } from '../support/service/created.ts';

const pet = (categoryId: bigint, name = 'Rex', status: PetStatus = 'available') => ({
  name,
  categoryId,
  status,
});
const several = (count: number, ...values: Parameters<typeof pet>) =>
  Array.from({ length: count }, () => pet(...values));

/** A database with the categories 3 and 7, a store on it as that of a service, and `animal-store categories merge 7 --into 3`. */
async function start(t: TestContext, database: string) {
  const store = await openStore(database);
  t.after(() => store.close());
  await store.setCategory({ id: 3n, name: 'Cats' });
  await store.setCategory({ id: 7n, name: 'Kittens' });
  const merge = () => runCommand(['categories', 'merge', '7', '--into', '3'], { DATABASE_URL: database });
  const idsIn = async (categoryId: bigint) =>
    (await walkPets(store, { limit: 1000, categoryId })).map(({ id }) => id);
  return { store, merge, idsIn };
}

/** Moves the animals of category 7 to 3 to the end; returns how many were moved. */
async function moveAll(store: Store): Promise<number> {
  let moved = 0;
  for await (const animals of moveAnimals(store, 7n, 3n)) moved += animals;
  return moved;
}

for (const [name, createUrl] of bothStores) {
  describe(`On ${name}, animal-store categories merge`, () => {
    it('moves every animal of the category, whatever its status, and removes the name', async (t) => {
      const { store, merge, idsIn } = await start(t, await createUrl(t));
      await store.createPets([...several(3, 3n), ...several(5, 9n)]);
      const moved = petsIn(await store.createPets([...several(1200, 7n), ...several(2, 7n, 'Max', 'sold')]));
      const { id: petId } = petIn(await store.createPet(pet(7n)));
      await store.createOrder({ petId });
      const from = await store.latestEvent();
      assert.deepEqual(await merge(), {
        code: 0,
        stdout:
          'Moved 1,203 animals from category 7 (Kittens) to category 3 (Cats).\nCategory 7 no longer has a name.\n',
        stderr: '',
      });
      assert.deepEqual(await idsIn(7n), []);
      const expected = [petId, ...moved.map(({ id }) => id).toReversed()];
      assert.deepEqual((await idsIn(3n)).slice(0, -3), expected);
      assert.equal((await idsIn(9n)).length, 5);
      assert.equal(await store.getCategory(7n), undefined);
      assert.deepEqual(await store.countPets(3n), { available: 1203n, pending: 1n, sold: 2n });
      const { events } = await store.listEvents({ limit: 2000, after: from });
      assert.deepEqual(
        events.map(({ type }) => type),
        [...Array.from({ length: 1203 }, () => 'pet.updated'), 'category.removed'],
      );
    });

    it('stops when its target has lost its name meanwhile, such as by a merge in the other direction', async (t) => {
      const { store, idsIn } = await start(t, await createUrl(t));
      await store.createPets(several(150, 7n));
      await assert.rejects(async () => {
        for await (const animals of moveAnimals(store, 7n, 30n)) assert.fail(`${animals} were moved`);
      }, /category 30 has no name/);
      assert.equal((await idsIn(7n)).length, 150);
      assert.equal((await store.getCategory(7n))?.name, 'Kittens');
    });

    it('goes on where it was interrupted', async (t) => {
      const { store, merge, idsIn } = await start(t, await createUrl(t));
      await store.createPets(several(1100, 7n));
      for await (const animals of moveAnimals(store, 7n, 3n)) {
        assert.equal(animals, 100);
        break;
      }
      assert.match((await merge()).stdout, /^Moved 1,000 animals from /);
      assert.equal((await idsIn(3n)).length, 1100);
    });

    it('leaves alone what was removed or moved elsewhere since it was read, and moves what was renamed', async (t) => {
      const { store, idsIn } = await start(t, await createUrl(t));
      const [removed, elsewhere, renamed, other] = petsIn(await store.createPets(several(4, 7n))).map(
        ({ id }) => id,
      ) as [bigint, bigint, bigint, bigint];
      let isFirst = true;
      const changing: Store = {
        ...store,
        async listPets(query) {
          const page = await store.listPets(query);
          if (!isFirst) return page;
          isFirst = false;
          await store.removePet(removed);
          await store.updatePet(elsewhere, { categoryId: 9n });
          await store.updatePet(renamed, { name: 'Max' });
          return page;
        },
      };
      assert.equal(await moveAll(changing), 2);
      assert.deepEqual(await idsIn(3n), [other, renamed]);
      assert.equal((await store.getPet(renamed))?.name, 'Max');
      assert.deepEqual(await idsIn(9n), [elsewhere]);
      assert.equal(await store.getCategory(7n), undefined);
    });

    it('moves what is added before the name is removed', async (t) => {
      const { store, idsIn } = await start(t, await createUrl(t));
      await store.createPet(pet(7n));
      let additions = 2;
      const growing: Store = {
        ...store,
        async removeCategory(id) {
          if (additions-- > 0) await store.createPet(pet(7n, 'late'));
          return store.removeCategory(id);
        },
      };
      assert.equal(await moveAll(growing), 3);
      assert.deepEqual([await idsIn(7n), await idsIn(3n)], [[], [3n, 2n, 1n]]);
      assert.equal(await store.getCategory(7n), undefined);
    });

    it('loses no animal while others are added and changed', async (t) => {
      const { store, merge, idsIn } = await start(t, await createUrl(t));
      const ids = petsIn(await store.createPets(several(2000, 7n))).map(({ id }) => id);
      const add = async () => void ids.push(petIn(await store.createPet(pet(7n, 'new'))).id);
      let isDone = false;
      const works = ids.slice(0, 2).map(async (id) => {
        for (let n = 0; n < 100 && !isDone; n++) {
          await add();
          await store.updatePet(id, { name: `Rex ${n}` });
        }
      });
      const result = await merge();
      isDone = true;
      await Promise.all(works);
      assert.deepEqual([result.code, result.stderr], [0, '']);
      await add();
      // The category has no name any more, only animals.
      assert.match((await merge()).stdout, /^Moved \d+ animals? from category 7 to category 3 \(Cats\)\.\n$/);
      assert.deepEqual(
        await idsIn(3n),
        ids.sort((a, b) => (a < b ? 1 : -1)),
      );
      assert.deepEqual(await idsIn(7n), []);
    });
  });
}
