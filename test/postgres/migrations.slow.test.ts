import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { it, type TestContext } from 'node:test';
import type { MigrateOptions } from '../../src/store/migrations.ts';
import { openStore } from '../../src/store/open.ts';
import { ConnectionGroup } from '../../src/store/postgres/pool/connection-group.ts';
import { migrate, PROGRAM_VERSION } from '../../src/store/postgres/schema/migrate.ts';
import { onConnection } from '../../src/store/postgres/transaction.ts';
import { parseUrl } from '../../src/store/postgres/url.ts';
import { load } from '../../src/store/postgres/writer/load.ts';
import { save } from '../../src/store/postgres/writer/save.ts';
import { type Result, StoreError } from '../../src/store/store.ts';
import { assertError, rejects } from '../support/assert.ts';
import { withMigrations } from '../support/database/added-migrations.ts';
import { createDatabase, openNewStore, startCluster } from '../support/database/postgres.ts';
import { connect, type Sql } from '../support/database/sql.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import { spawnService } from '../support/service/process.ts';
import { call, startService } from '../support/service/service.ts';

const server = await startCluster();

/** Needs a lock on a table that every session uses. */
const ADD_COLUMN = 'ALTER TABLE pets ADD COLUMN added integer';

/** As a version of the program that has these migrations. */
async function upgrade(url: string, options: MigrateOptions): Promise<void> {
  const address = parseUrl(url);
  const database = new ConnectionGroup(address);
  try {
    await migrate(database, address, 'pets', { upgrade: true, ...options });
  } finally {
    await database.end();
  }
}

/** A database with an animal, migrations that it lacks, and connections that wait for three seconds at most, or without a limit. */
async function start(t: TestContext, ...added: string[]) {
  const url = await createDatabase(server);
  const store = await openStore(url);
  await store.createPet({ name: 'Rex', categoryId: 1n, status: 'available' });
  await store.close();
  const { folder } = await withMigrations(t, 'postgres', ...added);
  const sql = connect(t, url, { settings: { statement_timeout: 3000 } });
  return { url, folder, exporting: connect(t, url), sql };
}

const versionIn = async (sql: Sql): Promise<number> =>
  (await sql`SELECT max(version) AS version FROM animal_store.migrations`)[0]?.version;

it('five instances that start at once on a new database create its schema once, and serve', async (t) => {
  const url = await createDatabase(server);
  const instances = await Promise.all(
    Array.from({ length: 5 }, () => spawnService(t, { DATABASE_URL: url })),
  );
  for (const { origin } of instances) assert.equal((await call(origin, 'GET', '/readyz')).status, 200);
  const sql = connect(t, url);
  assert.equal(await versionIn(sql), PROGRAM_VERSION);
});

it('five instances that start at once on a database of an earlier version migrate it once, no matter how long that takes', async (t) => {
  const { url, folder, sql } = await start(
    t,
    `${ADD_COLUMN}; SELECT pg_sleep(6)`,
    'CREATE TABLE added (n integer)',
  );
  await Promise.all(Array.from({ length: 5 }, () => upgrade(url, { folder })));
  const rows = await sql`SELECT version FROM migrations ORDER BY version DESC LIMIT 3`;
  const newest = PROGRAM_VERSION;
  assert.deepEqual(
    rows.map(({ version }) => version),
    [newest + 2, newest + 1, newest],
  );
});

it('while an export is open, a migration makes no reader wait for long, and completes afterwards', async (t) => {
  const { url, folder, exporting, sql } = await start(t, 'CREATE TABLE added (n integer)', ADD_COLUMN);
  const lines: string[] = [];
  let upgrading: Promise<void> | undefined;
  await exporting.begin(async (tx) => {
    await tx`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ`;
    await tx`SELECT FROM pets`;
    upgrading = upgrade(url, { folder, onMigration: (line) => void lines.push(line) });
    upgrading.catch(() => {});
    const waits = () => lines.some((line) => /It waits for a transaction of .+ \(process \d+/.test(line));
    await eventually(async () => {
      await sql`SELECT FROM pets`;
      return waits();
    }, 'a line says what the migration waits for');
    for (const end = performance.now() + 1000; performance.now() < end; ) await sql`SELECT FROM pets`;
    assert.equal(await versionIn(sql), PROGRAM_VERSION + 1, 'the step before is complete, by itself');
  });
  await upgrading;
  assert.equal(await versionIn(sql), PROGRAM_VERSION + 2);
});

it('a migration completes beside writers that always hold the tables, because each waits for the commits of the others', async (t) => {
  const changed = ['pets', 'idempotency_keys', 'categories', 'orders', 'events'];
  const added = changed.map((table) => `ALTER TABLE ${table} ADD COLUMN added integer`).join('; ');
  const { url, folder, sql } = await start(t, added);
  await sql.unsafe(`
    CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(0.12); RETURN NULL; END $$;
    CREATE TRIGGER wait AFTER INSERT ON events EXECUTE FUNCTION wait()`);
  let isOver = false;
  const write = async (instance: number) => {
    const store = await openStore(url);
    for (let i = 0; !isOver; i++) {
      const idempotencyKey = { owner: `${instance}`, key: `${i}`, fingerprint: 'f' };
      const name = `${instance} ${i}`;
      await Promise.allSettled([
        store.updatePet(1n, { name }),
        store.createPet({ name, categoryId: 1n, status: 'available' }, { idempotencyKey }),
        store.setCategory(
          { id: BigInt(instance), name },
          { idempotencyKey: { ...idempotencyKey, key: name } },
        ),
      ]);
    }
    await store.close();
  };
  const writing = [1, 2, 3, 4].map(write);
  await eventually(async () => (await sql`SELECT FROM events`).length > 20, 'all of them write');
  t.after(() => (isOver = true));
  const upgrading = upgrade(url, { folder }).finally(() => (isOver = true));
  await eventually(() => isOver, 'the migration is complete');
  await Promise.all([upgrading, ...writing]);
  assert.equal(await versionIn(sql), PROGRAM_VERSION + 1);
});

it('a migration that conflicts with nothing else waits for a write that has found its own version', async (t) => {
  const { url, folder, sql } = await start(t, 'CREATE TABLE added (n integer)');
  const lines: string[] = [];
  const upgrading = await onConnection(parseUrl(url), async (writing) => {
    const { rows } = await load(writing, [{ method: 'updatePet', args: [1n, { name: 'Tom' }] }]);
    const upgrading = upgrade(url, { folder, onMigration: (line) => void lines.push(line) });
    upgrading.catch(() => {});
    await eventually(() => lines.some((line) => /It waits for/.test(line)), 'the migration waits');
    assert.equal(await versionIn(sql), PROGRAM_VERSION);
    await save(writing, rows);
    return { ended: upgrading };
  });
  await upgrading.ended;
  assert.equal(await versionIn(sql), PROGRAM_VERSION + 1);
});

it('every statement that is prepared already goes on after a column was added to every table, or got another type', async (t) => {
  const { store, sql } = await openNewStore(t, server);
  const pet = { name: 'Rex', categoryId: 7n, status: 'available' } as const;
  let n = 0;
  async function useAll(): Promise<void> {
    const name = `n ${n++}`;
    const idempotencyKey = { owner: 'till', key: name, fingerprint: 'f' };
    const idOf = ({ json }: Result) => BigInt(JSON.parse(json).id);
    const id = idOf(await store.createPet(pet));
    await store.createPets([pet, pet], { idempotencyKey });
    await store.createPets([pet, pet], { idempotencyKey });
    await store.updatePet(id, { name });
    await Promise.all([store.getPet(id), store.getPet(id + 1n), store.getPet(1n)]);
    await Promise.all([store.listPets({ limit: 2 }), store.listPets({ limit: 2, status: 'sold' })]);
    await store.listPets({ limit: 2, ids: [id] });
    await store.listPets({ limit: 2, name });
    const order = idOf(await store.createOrder({ petId: id, note: name }));
    await store.updateOrder(order, { status: 'completed' });
    await store.updateOrder(order, { status: 'returned' });
    await store.getOrder(order);
    await store.listOrders({ limit: 2, petIds: [id] });
    await store.listOrders({ limit: 2, note: name });
    await store.listOrders({ limit: 2, completedFrom: new Date(0) });
    await store.removePet(id);
    await store.listRemovedPets({ limit: 2 });
    await store.restorePet(id);
    const category = idOf(await store.createCategory({ name }));
    await store.setCategory({ id: category, name: `${name}!` });
    await store.getCategory(category);
    await store.listCategories({ limit: 2 });
    await store.removeCategory(category);
    await store.countPets();
    await store.countPets(7n);
    const after = await store.latestEvent();
    await store.listEvents({ limit: 2, after, types: ['pet.created'] });
    await store.listEvents({ limit: 2, petId: id });
    const { id: key } = await store.createKey({ name, digest: name, scopes: ['*'] });
    await store.updateKey(key, { name: 'till' });
    const rotated = await store.rotateKey(key, { digest: `${name} new`, overlapMs: 1000 });
    await store.revokeKey(rotated.created.id);
    await store.listKeys();
    await store.listNewestKeys({ limit: 2 });
    await store.listKeyChanges(0, 10);
    await store.recordKeyUse([{ id: key, at: new Date() }]);
    await store.size();
    await store.ready();
  }
  await useAll();
  const tables =
    await sql`SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'animal_store'::regnamespace`;
  assert.ok(tables.length > 10);
  for (const { relname } of tables) await sql.unsafe(`ALTER TABLE ${relname} ADD COLUMN added integer`);
  await useAll();
  // A change of a type takes the plans of those that name the column as well.
  await sql.unsafe('ALTER TABLE api_keys ALTER COLUMN created_by TYPE varchar');
  await useAll();
});

it('a store of an earlier version is refused in one line unless it is to be upgraded', async (t) => {
  const { url, folder, sql } = await start(t, ADD_COLUMN);
  await assert.rejects(
    upgrade(url, { folder, upgrade: false }),
    (error) => error instanceof StoreError && /older version .*start the service[^\n]*$/.test(error.message),
  );
  assert.equal(await versionIn(sql), PROGRAM_VERSION);
});

it('a migration that is interrupted leaves nothing, and the next start completes it', async (t) => {
  const { url, folder, sql } = await start(t, `${ADD_COLUMN}; SELECT pg_sleep(600)`);
  const interrupted = upgrade(url, { folder });
  interrupted.catch(() => {});
  const end = () =>
    sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()`;
  await eventually(async () => (await end()).length === 1, 'the session of the migration is ended');
  await assert.rejects(interrupted, /connection to the database was lost/);
  assert.equal(await versionIn(sql), PROGRAM_VERSION);
  await upgrade(url, await withMigrations(t, 'postgres', ADD_COLUMN));
  assert.equal(await versionIn(sql), PROGRAM_VERSION + 1);
  assert.equal((await sql`SELECT added FROM pets`).length, 1);
});

it('a migration that is suspended in a step keeps its tables for seconds, and leaves nothing of it', async (t) => {
  const { url, folder, sql } = await start(t, `${ADD_COLUMN}; SELECT pg_sleep(0.5)`);
  const program = `import { openStore } from '${import.meta.resolve('../../src/store/open.ts')}';
    await openStore('${url}', { upgrade: true, folder: '${folder}' });`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: 'ignore' });
  t.after(() => child.kill('SIGKILL'));
  const exited = once(child, 'exit');
  const isWorking = () => sql`SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep'`;
  await eventually(async () => (await isWorking()).length === 1, 'the step has its locks');
  child.kill('SIGSTOP');
  const isFree = () => sql`SELECT FROM pets`.then(() => true).catch(() => false);
  await eventually(isFree, 'the table can be read', 20_000);
  child.kill('SIGCONT');
  assert.deepEqual(await exited, [1, null]);
  assert.equal(await versionIn(sql), PROGRAM_VERSION);
});

const pet = { name: 'Rex', categoryId: 7 };
type Write = [method: string, path: string, body?: object];
/** Every kind of write that looks at the version of the schema itself. */
const writes: Write[] = [
  ['POST', '/v1/pets', pet],
  ['PATCH', '/v1/pets/1', { name: 'Tom' }],
  ['DELETE', '/v1/pets/1?reason=died'],
  ['POST', '/v1/store/orders', { petId: 1 }],
  ['PATCH', '/v1/store/orders/1', { note: 'for Ms Lee' }],
  ['PUT', '/v1/categories/7', { name: 'Dogs' }],
];
/** Those of keys are refused once the instance has noticed. */
const keyWrites: Write[] = [
  ['POST', '/v1/keys', { name: 'till', scopes: ['pets:read'] }],
  ['PATCH', '/v1/keys/1', { name: 'till 2' }],
];

it('An instance whose database a newer version has upgraded reads, is not ready, and writes nothing', async (t) => {
  const database = await createDatabase(server);
  const service = await startService(t, { database });
  assert.equal((await service.call('POST', '/v1/pets', { body: pet })).status, 201);
  const reports: string[] = [];
  const other = await openStore(database, { report: (line) => void reports.push(line) });
  t.after(() => other.close());
  const sql = connect(t, database);
  const [next] = await sql`INSERT INTO migrations SELECT max(version) + 2 FROM migrations RETURNING version`;
  const status = async () => (await service.call('GET', '/readyz')).status;
  const assertRefused = async ([method, path, body]: Write) => {
    const answer = await service.call(method, path, body && { body });
    assert.match(assertError(answer, 503, 'unavailable'), /upgraded by a newer version/, `${method} ${path}`);
  };
  for (const write of writes) await assertRefused(write);
  await eventuallyEqual(status, 503);
  for (const write of keyWrites) await assertRefused(write);
  for (const path of [
    '/v1/pets?name=re',
    '/v1/pets?removed=true',
    '/v1/store/orders?note=lee',
    '/v1/store/orders?completedFrom=2026-11-17T00:00:00Z',
    '/v1/store/inventory?categoryId=7',
    '/v1/categories',
    '/v1/events?type=pet.created',
  ])
    assert.equal((await service.call('GET', path)).status, 200, path);
  // An idle instance notices with its next write or probe.
  for (let probe = 0; probe < 2; probe++) await rejects(other.ready(), 'unavailable');
  assert.match(reports.join(), /^the database was upgraded by a newer version [^\n]*$/);
  await sql`DELETE FROM migrations WHERE version = ${next?.version}`;
  await eventuallyEqual(status, 200);
});
