import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { INT64_MAX, INT64_MIN } from '../../src/contract/int64.ts';
import type { NewPet } from '../../src/contract/pet.ts';
import { openStore } from '../../src/store/open.ts';
import type { StoredEvent } from '../../src/store/store.ts';
import { importPets } from '../../src/store/tools/import-export.ts';
import type { ImportedPet } from '../../src/store/tools/pet-transfer.ts';
import { bothStores, execute } from '../support/database/both-stores.ts';
import { categoryIn, petsIn } from '../support/service/created.ts';
import { openTwoInstances } from '../support/service/two-instances.ts';

const rex = (categoryId: bigint): NewPet => ({ name: 'Rex', categoryId, status: 'available' });

/** Removes what the migration for identifiers of categories has made. */
const downgrade = (url: string) =>
  execute(url, {
    sqlite:
      'DROP TRIGGER keep_category_id; DROP TABLE category_counter; DROP TABLE former_category_ids; ALTER TABLE idempotency_keys DROP COLUMN status; PRAGMA user_version = 12',
    postgres:
      'DROP TRIGGER keep_category_id ON categories; DROP FUNCTION keep_category_id; DROP TABLE category_counter, former_category_ids; ALTER TABLE idempotency_keys DROP COLUMN status; DELETE FROM migrations WHERE version > 17',
  });

async function formerIds(url: string): Promise<bigint[]> {
  const select = 'SELECT id FROM former_category_ids ORDER BY id';
  const rows = await execute(url, { sqlite: select, postgres: select });
  return rows.map((row) => (row as { id: bigint }).id);
}

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
      for (
        let page: readonly StoredEvent[] = events;
        events.length === 0 || page.length > 0;
        events.push(...page)
      )
        ({ events: page } = await stores[0].listEvents({ limit: 1000, after: events.at(-1)?.position }));
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

    it('of an upgraded store get ids after those in use, and none that a removed category had', async (t) => {
      const url = await createUrl(t);
      const before = await openStore(url);
      const removed = [INT64_MIN, 9n, 12n, 2n ** 53n + 1n, INT64_MAX];
      for (const id of [5n, ...removed]) await before.setCategory({ id, name: `Category "${id}"` });
      for (const id of removed) await before.removeCategory(id);
      const [pet] = petsIn(await before.createPets([10n, 2n ** 52n].map(rex)));
      await before.removePet(pet?.id ?? 0n);
      await before.close();
      await downgrade(url);
      const store = await openStore(url, { upgrade: true });
      t.after(() => store.close());
      assert.deepEqual(await formerIds(url), removed);
      const create = async (name: string) => categoryIn(await store.createCategory({ name })).id;
      assert.deepEqual([await create('Dogs'), await create('Cats')], [13n, 14n]);
      await store.removeCategory(5n);
      assert.ok((await formerIds(url)).includes(5n));
    });
  });
