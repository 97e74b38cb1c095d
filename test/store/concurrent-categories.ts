import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { describe, it, type TestContext } from 'node:test';
import postgres from 'postgres';
import { INT64_MAX, INT64_MIN } from '../../src/contract/int64.ts';
import type { NewPet } from '../../src/contract/pet.ts';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';
import { importPets } from '../../src/store/tools/import-export.ts';
import type { ImportedPet, ImportResult } from '../../src/store/tools/pet-transfer.ts';
import { listCategories } from '../support/lists.ts';
import { categoryIn, petsIn } from '../support/service/created.ts';
import { atOnce, countOutcomes, openTwoInstances } from '../support/service/two-instances.ts';

const rex = (categoryId: bigint): NewPet => ({ name: 'Rex', categoryId, status: 'available' });

/** Runs statements on the database itself; returns the rows of the last one. */
async function execute(url: string, statements: Record<'sqlite' | 'postgres', string>): Promise<object[]> {
  if (url.startsWith('postgres')) {
    const sql = postgres(url, {
      max: 1,
      types: { bigint: postgres.BigInt },
      connection: { search_path: 'animal_store' },
    });
    const rows = await sql.unsafe(statements.postgres).finally(() => sql.end());
    return [...rows];
  }
  const db = new DatabaseSync(url.slice('sqlite:'.length), { readBigInts: true });
  try {
    const [last = '', ...others] = statements.sqlite.split('; ').toReversed();
    for (const statement of others.reverse()) db.exec(statement);
    return db.prepare(last).all();
  } finally {
    db.close();
  }
}

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

/** Imports the rows, a thousand at a time. */
function run(url: string, rows: readonly ImportedPet[]): Promise<ImportResult> {
  const batches = async function* () {
    for (let i = 0; i < rows.length; i += 1000) yield rows.slice(i, i + 1000);
  };
  return importPets(url, batches(), {});
}

/** Creates categories at once. All of them succeed, with ids of their own that are not `used`. */
async function createCategories(
  stores: readonly [Store, Store],
  count: number,
  used: ReadonlySet<bigint>,
): Promise<bigint[]> {
  const results = await atOnce(stores, count, (store, i) =>
    store.createCategory({ name: `New category ${i}` }),
  );
  assert.deepEqual(countOutcomes(results), { ok: count });
  const ids = results.flatMap((result) =>
    result.status === 'fulfilled' ? [categoryIn(result.value).id] : [],
  );
  assert.equal(new Set(ids).size, count, 'distinct ids');
  assert.deepEqual(
    ids.filter((id) => used.has(id)),
    [],
    'unused ids',
  );
  return ids;
}

/** New categories of many clients and of large files, for the kind of database that `createUrl` makes. */
export function concurrentCategoriesSuite(createUrl: (t: TestContext) => Promise<string>): void {
  describe('new categories', () => {
    it('of 150 clients at once get ids that no category, no animal and no removed animal uses', async (t) => {
      const stores = await openTwoInstances(t, await createUrl(t));
      const [store] = stores;
      const named = [1n, 2n, INT64_MAX];
      for (const id of named) await store.setCategory({ id, name: `Category ${id}` });
      // The first ids that a new category would get, some of them of removed animals.
      const ofPets = Array.from({ length: 60 }, (_, i) => BigInt(i + 3));
      const pets = petsIn(await store.createPets(ofPets.map(rex)));
      for (const { id } of pets.filter((_, i) => i % 2 === 0)) await store.removePet(id);
      const ids = await createCategories(stores, 150, new Set([...named, ...ofPets]));
      const stored = await listCategories(stores[1], { limit: 1000 });
      assert.deepEqual(new Set(stored.map(({ id }) => id)), new Set([...named, ...ids]));
    });

    it('of an import with 3,000 names get ids that no animal of the store or of the file uses, and no category had', async (t) => {
      const url = await createUrl(t);
      const [store] = await openTwoInstances(t, url);
      const named = [1n, 2n];
      for (const id of named) await store.setCategory({ id, name: `Category ${id}` });
      const inStore = Array.from({ length: 100 }, (_, i) => BigInt(3 + 2 * i));
      const pets = petsIn(await store.createPets(inStore.map(rex)));
      for (const { id } of pets.filter((_, i) => i % 2 === 0)) await store.removePet(id);
      const inFile = Array.from({ length: 200 }, (_, i) => BigInt(300 + 3 * i));
      const former = [898n, 2000n];
      for (const id of former) await store.setCategory({ id, name: `Category ${id}` });
      for (const id of former) await store.removeCategory(id);
      const names = Array.from({ length: 3000 }, (_, i) => `New category ${i}`);
      const { added, categories } = await run(url, [
        // Rows with an id after those with a name: the whole file counts.
        ...names.map((category): ImportedPet => ({ name: 'Kit', status: 'available', category })),
        ...inFile.map(rex),
      ]);
      assert.equal(added, names.length + inFile.length);
      const ids = categories.map(({ id }) => id);
      assert.equal(new Set(ids).size, names.length, 'distinct ids');
      const used = new Set([...named, ...inStore, ...inFile, ...former]);
      assert.deepEqual(
        ids.filter((id) => used.has(id)),
        [],
        'unused ids',
      );
      assert.deepEqual(new Set(categories.map(({ name }) => name)), new Set(names));
      for (const { id, name } of categories.filter((_, i) => i % 500 === 0))
        assert.equal((await store.getCategory(id))?.name, name);
      const { id: next } = categoryIn(await store.createCategory({ name: 'Next' }));
      assert.ok(
        ids.every((id) => id < next),
        'the service goes on after the import',
      );
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
}
