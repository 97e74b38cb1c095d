import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { NewPet } from '../../src/contract/pet.ts';
import type { StoredEvent } from '../../src/store/store.ts';
import { importPets } from '../../src/store/tools/import-export.ts';
import type { ImportedPet } from '../../src/store/tools/pet-transfer.ts';
import { bothStores } from '../support/database/both-stores.ts';
import { categoryIn, petsIn } from '../support/service/created.ts';
import { openTwoInstances } from '../support/service/two-instances.ts';

const rex = (categoryId: bigint): NewPet => ({ name: 'Rex', categoryId, status: 'available' });

const ids = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, i) => BigInt(first + i));
const CREATES = 200;
async function* batches(...pets: ImportedPet[]) {
  yield pets;
}

for (const [kind, createUrl] of bothStores)
  describe(`New categories in ${kind}`, () => {
    it('beside animals that another instance puts into the next ids get ids that none of them has', async (t) => {
      const stores = await openTwoInstances(t, await createUrl(t));
      let [next, isOver] = [1n, false];
      const animals = async () => {
        while (!isOver) await stores[1].createPet(rex(next++));
      };
      const adding = [animals(), animals()];
      for (let i = 0; i < CREATES; i++) {
        const { id } = categoryIn(await stores[0].createCategory({ name: `Category ${i}` }));
        if (id >= next) next = id + 1n;
      }
      isOver = true;
      await Promise.all(adding);
      const events: StoredEvent[] = [];
      for (let isEnd = false; !isEnd; ) {
        const page = await stores[0].listEvents({ limit: 1000, after: events.at(-1)?.position });
        events.push(...page.events);
        isEnd = page.events.length === 0;
      }
      const used = new Set<string>();
      const late = events.flatMap(({ json }) => {
        const { pet, category } = JSON.parse(json);
        if (pet) used.add(`${pet.categoryId}`);
        return category && used.has(`${category.id}`) ? [category.id] : [];
      });
      assert.deepEqual(late, [], 'no category is created after an animal has its id');
    });

    it('of an import get the next ids that no animal of the store or of the file uses and no category had, then random ones', async (t) => {
      const url = await createUrl(t);
      const [store] = await openTwoInstances(t, url);
      const inStore = ids(1, 1000);
      const pets = petsIn(await store.createPets(inStore.map(rex)));
      for (const { id } of pets.slice(0, 10)) await store.removePet(id);
      const former = ids(1001, 1010);
      for (const id of former) await store.setCategory({ id, name: `Category ${id}` });
      for (const id of former) await store.removeCategory(id);
      const names = Array.from({ length: 200 }, (_, i) => `New category ${i}`);
      const { added, categories } = await importPets(
        url,
        batches(
          // Rows with an id after those with a name: the whole file counts.
          ...names.map((category): ImportedPet => ({ name: 'Kit', status: 'available', category })),
          ...ids(1011, 1020).map(rex),
        ),
        {},
      );
      assert.equal(added, 210);
      assert.deepEqual(
        categories.map(({ name }) => name),
        names,
      );
      const created = categories.map(({ id }) => id);
      assert.deepEqual(created.slice(0, 180), ids(1021, 1200));
      assert.ok(created.slice(180).every((id) => id >= 2n ** 52n));
      assert.equal(new Set(created).size, 200);
      assert.equal((await store.getCategory(1021n))?.name, names[0]);
      assert.equal(categoryIn(await store.createCategory({ name: 'Next' })).id, 1201n);
    });
  });
