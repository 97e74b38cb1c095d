import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import postgres from 'postgres';
import { INT64_MAX, INT64_MIN } from '../../src/contract/int64.ts';
import { NO_ANIMALS } from '../../src/contract/order.ts';
import { openStore } from '../../src/store/open.ts';
import { receiveDump } from '../../src/store/postgres/tools/move-into.ts';
import { openDump } from '../../src/store/sqlite/tools/move-from.ts';
import { type Store, StoreError } from '../../src/store/store.ts';
import type { DumpChunk } from '../../src/store/tables.ts';
import { inspectStore } from '../../src/store/tools/inspect.ts';
import { createCluster, createDatabase } from '../support/database/postgres.ts';
import { storedEvents } from '../support/events/events.ts';
import { listCategories, listOrders, listPets, listRemovedPets } from '../support/lists.ts';
import { orderIn, petIn } from '../support/service/created.ts';
import { animalStore, spawnService } from '../support/service/process.ts';
import { call, temporaryFolder } from '../support/service/service.ts';

const server = await createCluster();
await server.start();

const idempotencyKey = { owner: '1', key: 'k', fingerprint: 'f' };
const names = ['Rex', '{"quoted", NULL, \\}', '🐈‍⬛ Söckchen', "'; DROP TABLE pets; --", 'line\nbreak\ttab'];

const CATEGORIES = [1n, INT64_MIN, INT64_MAX];

async function fill(store: Store): Promise<void> {
  for (const [i, name] of names.entries()) {
    await store.createPet({ name, categoryId: i % 2 ? INT64_MAX : INT64_MIN, status: 'available' });
  }
  await store.createPet({ name: 'Repeated', categoryId: 1n, status: 'sold' }, idempotencyKey);
  for (const petId of [1n, 2n, 3n, 4n]) await store.createOrder({ petId, note: `Für Frau Lee, ${petId}` });
  for (const id of [1n, 4n]) await store.updateOrder(id, { status: 'completed' });
  await store.updateOrder(2n, { status: 'cancelled', note: null });
  await store.updateOrder(4n, { status: 'returned' });
  await store.setCategory({ id: INT64_MIN, name: 'Straße' });
  await store.createCategory({ name: 'Cats' });
  await store.createPets([
    { name: 'Gone', categoryId: INT64_MIN, status: 'sold' },
    { name: 'Gone, with the highest id', categoryId: 1n, status: 'available' },
  ]);
  await store.removePet(8n);
  for (const id of [2n, 7n]) await store.removePet(id, 'gestorben, "sehr" alt');
  await store.restorePet(2n);
  await store.createKey({
    name: 'till 1',
    digest: 'a'.repeat(64),
    scopes: ['pets:read', 'store:write'],
    expiresAt: new Date('2031-01-01T00:00:00Z'),
  });
  await store.createKey({ name: 'till 2', digest: 'b'.repeat(64), scopes: ['*'] });
  await store.revokeKey('2');
  await store.updateKey('1', { name: 'till 3' });
  await store.recordKeyUse([{ id: '1', at: new Date('2026-11-15T10:00:00.123Z') }]);
}

async function contentOf(store: Store) {
  const limit = 1000;
  const [pets, removed, categories, orders, keys, { events }] = await Promise.all([
    listPets(store, { limit }),
    listRemovedPets(store, { limit }),
    listCategories(store, { limit }),
    listOrders(store, { limit }),
    store.listKeys(),
    store.listEvents({ limit }),
  ]);
  const counts = await Promise.all([undefined, ...CATEGORIES].map((id) => store.countPets(id)));
  const found = {
    names: await listPets(store, { limit, name: 'sockchen' }),
    removed: await listRemovedPets(store, { limit, name: 'with the' }),
    notes: await listOrders(store, { limit, note: 'fur frau' }),
    sold: await listOrders(store, { limit, completedFrom: new Date(0) }),
  };
  return { pets, removed, categories, orders, keys, counts, events, found };
}

/** A file with everything that a store can contain. */
async function filledFile(t: TestContext): Promise<string> {
  const file = join(await temporaryFolder(t), 'pets.db');
  const store = await openStore(`sqlite:${file}`);
  await fill(store);
  await store.close();
  return file;
}

async function assertNothingMoved(url: string): Promise<void> {
  const store = await openStore(url);
  assert.deepEqual(await contentOf(store), {
    pets: [],
    removed: [],
    categories: [],
    orders: [],
    keys: [],
    counts: [undefined, ...CATEGORIES].map(() => NO_ANIMALS),
    events: [],
    found: { names: [], removed: [], notes: [], sold: [] },
  });
  await store.close();
}

describe('animal-store move', () => {
  it('copies everything unchanged, and the new store continues from there', async (t) => {
    const from = `sqlite:${await filledFile(t)}`;
    const to = await createDatabase(server);
    const old = await openStore(from);
    const before = await contentOf(old);
    await old.close();

    const { code, stdout, stderr } = await animalStore(['move', '--database', from, '--to', to]);
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(
      stdout,
      /^Copied 6 animals, 2 removed animals, 2 categories, 4 orders, 2 API keys, 1 idempotency key and \d+ events\./,
    );

    const store = await openStore(to);
    t.after(() => store.close());
    assert.deepEqual(await contentOf(store), before);
    assert.deepEqual(
      Object.values(before.found).map((items) => items.length),
      [1, 1, 3, 2],
    );
    assert.deepEqual((await inspectStore(to)).schemaProblems, []);
    const replay = await store.createPet(
      { name: 'Repeated', categoryId: 1n, status: 'sold' },
      idempotencyKey,
    );
    assert.deepEqual([petIn(replay).id, replay.replayed], [6n, true]);
    const last = before.events.at(-1)?.position;
    const next = petIn(await store.createPet({ name: 'next', categoryId: 1n, status: 'available' }));
    const [event] = await storedEvents(store, 1, { after: last });
    assert.equal(event?.petId, next.id, 'a reader of the events goes on where it was');
    assert.ok(next.id > 8n, 'the id of a removed animal is never given to another');
    assert.ok(orderIn(await store.createOrder({ petId: next.id })).id > 4n);
    const removedIds = async () => (await listRemovedPets(store, { limit: 10 })).map(({ id }) => id);
    assert.deepEqual(await removedIds(), [7n, 8n]);
    await store.removePet(5n);
    assert.deepEqual(await removedIds(), [5n, 7n, 8n], 'the latest removal is first');
    assert.equal((await store.restorePet(8n)).name, 'Gone, with the highest id');
    await assert.rejects(store.createCategory({ name: 'STRASSE' }), { code: 'category_exists' });
  });

  it('moves nothing into a database that already contains data', async (t) => {
    const from = `sqlite:${await filledFile(t)}`;
    const to = await createDatabase(server);
    const used = await openStore(to);
    await used.createPet({ name: 'Ada', categoryId: 1n, status: 'available' });
    await used.close();
    const { code, stderr } = await animalStore(['move', '--database', from, '--to', to]);
    assert.equal(code, 2);
    assert.match(
      stderr,
      /^animal-store: the database already contains animals or keys: move into a new one\n$/,
    );
    const store = await openStore(to);
    assert.equal((await listPets(store, { limit: 10 })).length, 1);
    await store.close();
  });

  it('refuses a file that a service has open, even an idle one, and accepts it after the service has stopped', async (t) => {
    const from = `sqlite:${await filledFile(t)}`;
    const to = await createDatabase(server);
    const { child, exited, origin } = await spawnService(t, { DATABASE_URL: from });
    const refused = await animalStore(['move', '--database', from, '--to', to]);
    assert.equal(refused.code, 2);
    assert.match(
      refused.stderr,
      /^animal-store: the database .*pets\.db is in use: stop the service, then move\n$/,
    );
    assert.equal(
      (await call(origin, 'POST', '/v1/pets', { body: { name: 'Rex', categoryId: 1 } })).status,
      201,
    );
    child.kill('SIGTERM');
    await exited;
    const { code, stderr } = await animalStore(['move', '--database', from, '--to', to]);
    assert.deepEqual([code, stderr], [0, '']);
  });

  it('lets no process open the file until it is finished', async (t) => {
    const file = await filledFile(t);
    const dump = openDump(file);
    const refused = await animalStore(['keys', 'list'], { DATABASE_URL: `sqlite:${file}` });
    assert.equal(refused.code, 3);
    assert.match(refused.stderr, /database is locked/);
    dump.close();
    assert.equal((await animalStore(['keys', 'list'], { DATABASE_URL: `sqlite:${file}` })).code, 0);
  });

  it('moves nothing if the copy does not have as many rows as the original', async (t) => {
    const dump = openDump(await filledFile(t));
    t.after(() => dump.close());
    const url = await createDatabase(server);
    const counts = { ...dump.counts, orders: dump.counts.orders + 1 };
    await assert.rejects(
      receiveDump(url, { counts, chunks: dump.chunks }),
      (error) =>
        error instanceof StoreError &&
        /has 4 rows of orders instead of 5: nothing was moved/.test(error.message),
    );
    await assertNothingMoved(url);
  });

  it('moves nothing if its connection is lost between two statements', async (t) => {
    const dump = openDump(await filledFile(t));
    t.after(() => dump.close());
    const url = await createDatabase(server);
    // With the tables in place, the API keys could be added after a reconnection if nothing prevented it.
    await (await openStore(url)).close();
    const admin = postgres(server.url('postgres'), { max: 1 });
    t.after(() => admin.end());
    const database = new URL(url).pathname.slice(1);

    async function* interrupted(): AsyncIterable<DumpChunk> {
      for (const chunk of dump.chunks) {
        yield chunk;
        if (chunk.resource !== 'orders') continue;
        await admin`SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = ${database}`;
      }
    }
    await assert.rejects(
      receiveDump(url, { counts: dump.counts, chunks: interrupted() }),
      (error) =>
        error instanceof StoreError && error.message === 'the connection to the database was lost: try again',
    );
    await assertNothingMoved(url);
  });

  it('reports usage errors', async (t) => {
    const missing = `sqlite:${join(await temporaryFolder(t), 'none.db')}`;
    const to = await createDatabase(server);
    for (const [args, message] of [
      [['move'], /--to is required/],
      [['move', '--database', missing, '--to', to], /there is no database .*none\.db/],
      [['move', '--database', to, '--to', to], /from sqlite:… to postgres:/],
    ] as const) {
      const { code, stderr } = await animalStore(args);
      assert.equal(code, 2);
      assert.match(stderr, message);
    }
  });
});
