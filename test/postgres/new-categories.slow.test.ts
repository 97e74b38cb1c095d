import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import postgres from 'postgres';
import { openStore } from '../../src/store/open.ts';
import { importPets } from '../../src/store/tools/import-export.ts';
import type { ImportedPet } from '../../src/store/tools/pet-transfer.ts';
import { createCluster, createDatabase } from '../support/database/postgres.ts';
import { eventually } from '../support/eventually.ts';
import { atOnce, countOutcomes } from '../support/service/two-instances.ts';

const server = await createCluster();
await server.start();

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
async function start(t: TestContext) {
  const url = await createDatabase(server);
  const sql = postgres(url, { max: 1 });
  t.after(() => sql.end());
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

const importRows = (url: string, rows: readonly ImportedPet[]) =>
  importPets(
    url,
    (async function* () {
      yield rows;
    })(),
    {},
  );

describe('a new category in PostgreSQL', () => {
  it('gets its id without trying ids that concurrent ones take, or reading all categories', async (t) => {
    const { url, measure } = await start(t);
    await importRows(
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
    const { url, measure } = await start(t);
    // The schema is there before, so that only the import is measured.
    await importRows(url, []);
    const names = Array.from({ length: EXISTING }, (_, i) => `New ${i}`);
    const { reads } = await measure(() =>
      importRows(
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
