import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { INT64_MAX } from '../../src/contract/int64.ts';
import type { NewPet } from '../../src/contract/pet.ts';
import { openStore } from '../../src/store/open.ts';
import { importPets } from '../../src/store/tools/import-export.ts';
import type { ImportedPet, ImportResult } from '../../src/store/tools/pet-transfer.ts';
import { bothStores, server } from '../support/database/both-stores.ts';
import { createDatabase } from '../support/database/postgres.ts';
import { connect } from '../support/database/sql.ts';
import { eventually } from '../support/eventually.ts';
import { listCategories } from '../support/lists.ts';
import { categoryIn, petsIn } from '../support/service/created.ts';
import { atOnce, countOutcomes, openTwoInstances } from '../support/service/two-instances.ts';

const rex = (categoryId: bigint): NewPet => ({ name: 'Rex', categoryId, status: 'available' });

/** Imports the rows, a thousand at a time. */
function run(url: string, rows: readonly ImportedPet[]): Promise<ImportResult> {
  const batches = async function* () {
    for (let i = 0; i < rows.length; i += 1000) yield rows.slice(i, i + 1000);
  };
  return importPets(url, batches(), {});
}

for (const [kind, createUrl] of bothStores)
  describe(`New categories in ${kind}`, () => {
    it('of 150 clients at once get ids that no category, no animal and no removed animal uses', async (t) => {
      const stores = await openTwoInstances(t, await createUrl(t));
      const [store] = stores;
      const named = [1n, 2n, INT64_MAX];
      for (const id of named) await store.setCategory({ id, name: `Category ${id}` });
      // The first ids that a new category would get, some of them of removed animals.
      const ofPets = Array.from({ length: 60 }, (_, i) => BigInt(i + 3));
      const pets = petsIn(await store.createPets(ofPets.map(rex)));
      for (const { id } of pets.filter((_, i) => i % 2 === 0)) await store.removePet(id);
      const results = await atOnce(stores, 150, async (store, i) =>
        categoryIn(await store.createCategory({ name: `New category ${i}` })),
      );
      const ids = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.id] : []));
      assert.equal(new Set(ids).size, 150, JSON.stringify(countOutcomes(results)));
      const used = new Set([...named, ...ofPets]);
      assert.deepEqual(
        ids.filter((id) => used.has(id)),
        [],
      );
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
  });

const CLIENTS = 64;
const EXISTING = 2000;

interface Work {
  /** Transactions that failed. */
  readonly rollbacks: number;
  /** Rows of `categories` that were read, from the table or from its indexes. */
  readonly reads: number;
}

/**
 * A new database, and a way to count what the server does for it. The statistics of a session are complete when it has ended, so
 * that `work` has to close whatever it opens.
 */
async function startMeasured(t: TestContext) {
  const url = await createDatabase(server);
  const sql = connect(t, url);
  const noSession = () =>
    eventually(async () => {
      const others = await sql`
        SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`;
      return others.length === 0;
    }, 'every session has ended');
  const measure = async (work: () => Promise<unknown>): Promise<Work> => {
    await noSession();
    await sql`SELECT pg_stat_reset()`;
    await work();
    await noSession();
    const [row] = await sql<[Work]>`
      SELECT xact_rollback::float8 AS rollbacks, (
          SELECT coalesce(sum(seq_tup_read), 0) FROM pg_stat_user_tables WHERE relname = 'categories'
        )::float8 + (
          SELECT coalesce(sum(idx_tup_read), 0) FROM pg_stat_user_indexes WHERE relname = 'categories'
        )::float8 AS reads
      FROM pg_stat_database WHERE datname = current_database()`;
    return row;
  };
  return { url, measure };
}

describe('a new category in PostgreSQL', () => {
  it('gets its id without trying ids that concurrent ones take, or reading all categories', async (t) => {
    const { url, measure } = await startMeasured(t);
    await run(
      url,
      Array.from({ length: EXISTING }, (_, i) => ({
        name: 'Rex',
        status: 'available',
        categoryId: BigInt(i + 1),
        category: `Category ${i + 1}`,
      })),
    );
    const { rollbacks, reads } = await measure(async () => {
      const stores = [await openStore(url), await openStore(url)] as const;
      const results = await atOnce(stores, CLIENTS, (store, i) => store.createCategory({ name: `New ${i}` }));
      assert.deepEqual(countOutcomes(results), { ok: CLIENTS });
      await Promise.all(stores.map((store) => store.close()));
    });
    assert.ok(rollbacks < CLIENTS, `${rollbacks} transactions failed for ${CLIENTS} categories`);
    const all = CLIENTS * EXISTING;
    assert.ok(reads < all / 2, `${reads} rows were read; ${all} if each create reads all categories`);
  });

  it('of an import is not searched for in all categories', async (t) => {
    const { url, measure } = await startMeasured(t);
    // The schema is there before, so that only the import is measured.
    await run(url, []);
    const names = Array.from({ length: EXISTING }, (_, i) => `New ${i}`);
    const { reads } = await measure(() =>
      run(
        url,
        names.map((category) => ({ name: 'Rex', status: 'available', category })),
      ),
    );
    const all = (EXISTING * EXISTING) / 2;
    assert.ok(
      reads < all / 10,
      `${reads} rows were read; ${all} if each name reads the categories before it`,
    );
  });
});
