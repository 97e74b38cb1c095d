import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import postgres from 'postgres';
import { openStore } from '../../src/store/open.ts';
import { StoreError } from '../../src/store/store.ts';
import { eventually } from '../support/eventually.ts';
import { createCluster, createDatabase } from '../support/postgres.ts';
import { spawnService } from '../support/process.ts';
import { call } from '../support/service.ts';

const MIGRATIONS = join(import.meta.dirname, '../../src/store/postgres/migrations');
const server = await createCluster();
await server.start();

/** A database of an older version, with animals. */
async function olderDatabase(version: number, pets: number): Promise<string> {
  const url = await createDatabase(server);
  const sql = postgres(url, { max: 1, onnotice: () => {}, connection: { search_path: 'animal_store' } });
  await sql`CREATE SCHEMA animal_store`;
  await sql`CREATE TABLE migrations (version integer PRIMARY KEY)`;
  for (const [i, file] of readdirSync(MIGRATIONS).sort().slice(0, version).entries()) {
    await sql.unsafe(readFileSync(join(MIGRATIONS, file), 'utf8'));
    await sql`INSERT INTO migrations (version) VALUES (${i + 1})`;
  }
  await sql`
    INSERT INTO pets (name, category_id, status)
    SELECT 'Pet ' || n, 1, 'available' FROM generate_series(1, ${pets}) AS n`;
  await sql.end();
  return url;
}

for (const version of [1, 2, 3, 9])
  it(`five instances that start at once on a database of version ${version} migrate it once, and serve`, async (t) => {
    const url = await olderDatabase(version, 5000);
    const instances = await Promise.all(
      Array.from({ length: 5 }, () => spawnService(t, { DATABASE_URL: url })),
    );
    for (const { origin } of instances) {
      const found = await call(origin, 'GET', '/v1/pets?name=PET%20421');
      assert.equal((found.json as unknown[]).length, 11);
      assert.equal((await call(origin, 'GET', '/readyz')).status, 200);
    }
    const sql = postgres(url, { max: 1 });
    t.after(() => sql.end());
    const applied = await sql`SELECT version FROM animal_store.migrations ORDER BY version`;
    assert.deepEqual(
      applied.map(({ version }) => version),
      readdirSync(MIGRATIONS).map((_, i) => i + 1),
    );
  });

it('a migration waits for a create of the previous version, and both take effect', async (t) => {
  const url = await olderDatabase(3, 10);
  const sql = postgres(url, { max: 1 });
  t.after(() => sql.end());
  let opening: ReturnType<typeof openStore> | undefined;
  await sql.begin(async (tx) => {
    await tx`INSERT INTO animal_store.pets (name, category_id, status) VALUES ('late', 1, 'sold')`;
    opening = openStore(url, { upgrade: true });
    opening.catch(() => {});
    await tx`SELECT pg_sleep(1)`;
  });
  const store = await opening;
  assert.ok(store);
  t.after(() => store.close());
  assert.deepEqual(await store.countPets(), { available: 10n, pending: 0n, sold: 1n });
});

const versionIn = async (sql: postgres.Sql): Promise<number> =>
  (await sql`SELECT max(version) AS version FROM animal_store.migrations`)[0]?.version;

it('while an export is open, a migration makes no reader wait for long, and completes afterwards', async (t) => {
  const url = await olderDatabase(4, 10);
  const connect = (statement_timeout: number) => postgres(url, { max: 1, connection: { statement_timeout } });
  const [exporting, reading] = [connect(0), connect(3000)];
  t.after(() => Promise.all([exporting.end(), reading.end()]));
  const lines: string[] = [];
  let opening: ReturnType<typeof openStore> | undefined;
  await exporting.begin('ISOLATION LEVEL REPEATABLE READ', async (tx) => {
    await tx`SELECT FROM animal_store.pets`;
    opening = openStore(url, { upgrade: true, onMigration: (line) => void lines.push(line) });
    opening.catch(() => {});
    const waits = () => lines.some((line) => /It waits for a transaction of .+ \(process \d+/.test(line));
    await eventually(async () => {
      await reading`SELECT FROM animal_store.pets`;
      return waits();
    }, 'a line says what the migration waits for');
    for (const end = performance.now() + 3000; performance.now() < end; )
      await reading`SELECT FROM animal_store.pets`;
    assert.equal(await versionIn(reading), 5, 'the steps before are complete, each by itself');
  });
  const store = await opening;
  assert.ok(store);
  await store.close();
  assert.equal(await versionIn(reading), readdirSync(MIGRATIONS).length);
});

it('a store of an earlier version is refused in one line unless it is to be upgraded', async (t) => {
  const url = await olderDatabase(9, 1);
  const sql = postgres(url, { max: 1 });
  t.after(() => sql.end());
  await assert.rejects(
    openStore(url),
    (error) =>
      error instanceof StoreError && /earlier version .*animal-store serve[^\n]*$/.test(error.message),
  );
  assert.equal(await versionIn(sql), 9);
});

it('an index that is built concurrently stops no other session, and replaces what an interrupted attempt has left', async (t) => {
  const url = await olderDatabase(11, 10);
  const connect = (statement_timeout: number) => postgres(url, { max: 1, connection: { statement_timeout } });
  const [exporting, working] = [connect(0), connect(3000)];
  t.after(() => Promise.all([exporting.end(), working.end()]));
  await assert.rejects(
    working`CREATE UNIQUE INDEX CONCURRENTLY pets_by_status ON animal_store.pets (category_id)`,
    'it leaves an invalid index',
  );
  let opening: ReturnType<typeof openStore> | undefined;
  await exporting.begin('ISOLATION LEVEL REPEATABLE READ', async (tx) => {
    await tx`SELECT FROM animal_store.pets`;
    opening = openStore(url, { upgrade: true });
    opening.catch(() => {});
    const builds = () =>
      working`SELECT FROM pg_stat_activity WHERE query ~ 'INDEX CONCURRENTLY' AND state = 'active'`;
    await eventually(async () => (await builds()).length === 2, 'an index is built or dropped');
    await working`INSERT INTO animal_store.pets (name, category_id, status, folded_name) VALUES ('Rex', 1, 'sold', 'REX')`;
    await working`SELECT FROM animal_store.pets`;
    assert.equal(await versionIn(working), 11);
  });
  const store = await opening;
  assert.ok(store);
  await store.close();
  const [index] = await working`
    SELECT indisvalid, indnatts FROM pg_index WHERE indexrelid = 'animal_store.pets_by_status'::regclass`;
  assert.deepEqual({ ...index }, { indisvalid: true, indnatts: 2 });
});
