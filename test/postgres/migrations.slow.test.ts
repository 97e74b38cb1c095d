import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { it } from 'node:test';
import postgres from 'postgres';
import { openStore } from '../../src/store/open.ts';
import { StoreError } from '../../src/store/store.ts';
import { MIGRATIONS, olderDatabase, somePets } from '../support/database/older-database.ts';
import { createCluster } from '../support/database/postgres.ts';
import { eventually } from '../support/eventually.ts';
import { listPets } from '../support/lists.ts';
import { spawnService } from '../support/service/process.ts';
import { call } from '../support/service/service.ts';

const server = await createCluster();
await server.start();

for (const version of [1, 2, 3, 9, 13])
  it(`five instances that start at once on a database of version ${version} migrate it once, and serve`, async (t) => {
    const url = await olderDatabase(server, version, somePets(5000));
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

for (const version of [3, 13])
  it(`a migration waits for a create of version ${version}, and both take effect`, async (t) => {
    const url = await olderDatabase(server, version, somePets(10));
    const sql = postgres(url, { max: 1 });
    t.after(() => sql.end());
    let opening: ReturnType<typeof openStore> | undefined;
    await sql.begin(async (tx) => {
      await tx`INSERT INTO animal_store.pets (name, category_id, status) VALUES ('läte', 2, 'sold')`;
      opening = openStore(url, { upgrade: true });
      opening.catch(() => {});
      await tx`SELECT pg_sleep(1)`;
    });
    const store = await opening;
    assert.ok(store);
    t.after(() => store.close());
    assert.deepEqual(await store.countPets(), { available: 10n, pending: 0n, sold: 1n });
    assert.deepEqual(await store.countPets(1n), { available: 10n, pending: 0n, sold: 0n });
    assert.deepEqual(await store.countPets(2n), { available: 0n, pending: 0n, sold: 1n });
    assert.equal((await listPets(store, { limit: 9, name: 'late' })).length, 1);
  });

const versionIn = async (sql: postgres.Sql): Promise<number> =>
  (await sql`SELECT max(version) AS version FROM animal_store.migrations`)[0]?.version;

it('while an export is open, a migration makes no reader wait for long, and completes afterwards', async (t) => {
  const url = await olderDatabase(server, 4, somePets(10));
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
  const url = await olderDatabase(server, 9, somePets(1));
  const sql = postgres(url, { max: 1 });
  t.after(() => sql.end());
  await assert.rejects(
    openStore(url),
    (error) => error instanceof StoreError && /older version .*start the service[^\n]*$/.test(error.message),
  );
  assert.equal(await versionIn(sql), 9);
});

it('an index that is built concurrently stops no other session, and replaces what an interrupted attempt has left', async (t) => {
  const url = await olderDatabase(server, 11, somePets(10));
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

it('what an instance of an earlier version still writes after the upgrade fails, so that nothing is stored without its event', async (t) => {
  const url = await olderDatabase(server, 9, somePets(1));
  const store = await openStore(url, { upgrade: true });
  t.after(() => store.close());
  const sql = postgres(url, { max: 1, connection: { search_path: 'animal_store' } });
  t.after(() => sql.end());
  // As 6990a98 and 4cb8893 write: every write of theirs has one of these.
  for (const write of [
    "INSERT INTO pets (name, category_id, status, name_key) VALUES ('Rex', 1, 'available', 'REX')",
    "SELECT FROM place_order(1, 'o', 'k', 'f', interval '1 day')",
    "UPDATE orders SET status = 'completed', updated_at = now() WHERE id = 1",
    "INSERT INTO events (transaction, type, content) VALUES (1, 'pet.created', '{}')",
    "SELECT FROM update_pet(1, 'Tom', 'TOM', NULL, NULL, NULL, NULL, NULL)",
  ])
    await assert.rejects(sql.unsafe(write), /does not exist/, write);
});
