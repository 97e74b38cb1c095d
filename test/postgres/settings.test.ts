import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { openStore } from '../../src/store/open.ts';
import { pageReader } from '../../src/store/postgres/pages.ts';
import { petTable } from '../../src/store/postgres/pets.ts';
import { explaining } from '../support/explain.ts';
import { createCluster, createDatabase } from '../support/postgres.ts';
import { animalStore } from '../support/process.ts';

const server = await createCluster();
await server.start();

function connect(t: TestContext, url: string): postgres.Sql {
  const sql = postgres(url, { max: 1, onnotice: () => {}, connection: { search_path: 'animal_store' } });
  t.after(() => sql.end());
  return sql;
}

describe('a PostgreSQL server with non-default settings', () => {
  it('is refused if it acknowledges writes before they are on disk', async (t) => {
    const url = await createDatabase(server);
    await connect(t, url).unsafe(
      `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET synchronous_commit = off`,
    );
    const { code, stderr } = await animalStore(['keys', 'list'], { DATABASE_URL: url });
    assert.equal(code, 2);
    assert.match(stderr, /^animal-store: the database acknowledges .* set synchronous_commit to on\n$/);
  });

  it('sells an animal to one buyer, whatever the default isolation level', async (t) => {
    const url = await createDatabase(server);
    const name = new URL(url).pathname.slice(1);
    await connect(t, url).unsafe(
      `ALTER DATABASE ${name} SET default_transaction_isolation = 'repeatable read'`,
    );
    const store = await openStore(url);
    t.after(() => store.close());
    const { value } = await store.createPet({ name: 'Rex', categoryId: 1n, status: 'available' });
    const results = await Promise.allSettled(
      Array.from({ length: 50 }, () => store.createOrder({ petId: value.id })),
    );
    const reasons = results.flatMap((result) =>
      result.status === 'rejected' ? [result.reason.code] : ['sold'],
    );
    assert.deepEqual(reasons.toSorted(), [...Array(49).fill('pet_not_available'), 'sold']);
  });

  it('accepts a role that can use the tables but not change the schema', async (t) => {
    const url = await createDatabase(server);
    await (await openStore(url)).close();
    const sql = connect(t, url);
    await sql`CREATE ROLE clerk LOGIN`;
    await sql`GRANT USAGE ON SCHEMA animal_store TO clerk`;
    await sql`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA animal_store TO clerk`;
    await sql`GRANT USAGE ON ALL SEQUENCES IN SCHEMA animal_store TO clerk`;
    const store = await openStore(url.replace('postgres@', 'clerk@'));
    t.after(() => store.close());
    const { value } = await store.createPet({ name: 'Rex', categoryId: 1n, status: 'available' });
    await store.createOrder({ petId: value.id }, { owner: '1', key: 'k', fingerprint: 'f' });
    assert.deepEqual(await store.countPets(), { available: 0n, pending: 1n, sold: 0n });
  });

  it('is opened after another instance has migrated it, no matter how long that takes', async (t) => {
    const url = await createDatabase(server);
    let opened = false;
    let opening: Promise<void> = Promise.resolve();
    await connect(t, url).begin(async (tx) => {
      await tx`SELECT pg_advisory_xact_lock(${0x414e5354})`;
      opening = openStore(url).then((store) => {
        opened = true;
        return store.close();
      });
      await sleep(5500);
      assert.equal(opened, false, 'opening must wait for the migration');
    });
    await opening;
  });
});

describe('a page by status', () => {
  it('reads only rows of that status', async (t) => {
    const url = await createDatabase(server);
    await (await openStore(url)).close();
    const sql = connect(t, url);
    await sql`
      INSERT INTO pets (name, category_id, status)
      SELECT 'Rex', 1, CASE WHEN n <= 100000 THEN 'sold' ELSE 'available' END FROM generate_series(1, 200000) AS n`;
    await sql`ANALYZE pets`;
    const { db, plan } = explaining(sql);
    const { readPage, readPages } = pageReader(petTable);
    for (const before of [undefined, 150_000n]) {
      const query = { limit: 20, status: 'sold', before };
      for (const read of [() => readPage(db, query), () => readPages(db, [query, { limit: 20, before }])]) {
        await read();
        assert.match(plan(), /Index Scan Backward using pets_sold .*rows=20/);
        assert.doesNotMatch(plan(), /Rows Removed by Filter|Seq Scan on pets/);
      }
    }
  });
});
