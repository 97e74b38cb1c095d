import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres, { type TransactionSql } from 'postgres';
import { openStore } from '../../src/store/open.ts';
import { ConnectionGroup } from '../../src/store/postgres/pool/connection-group.ts';
import { parseUrl } from '../../src/store/postgres/url.ts';
import { LOCK_EVENTS } from '../../src/store/postgres/writer/locks.ts';
import type { Store } from '../../src/store/store.ts';
import { untilBlocked } from '../support/database/blocked.ts';
import { createCluster, createDatabase } from '../support/database/postgres.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import { listOrders, listPets } from '../support/lists.ts';
import { LONG_RUN } from '../support/service/attacked-service.ts';
import { orderIn } from '../support/service/created.ts';
import { animalStore, spawnService } from '../support/service/process.ts';
import { assertSoonRefused } from '../support/service/refused-key.ts';
import { call } from '../support/service/service.ts';
import { startProxy } from '../support/wire/proxy.ts';

const server = await createCluster();
await server.start();
const proxy = await startProxy(server.port);

const rex = { name: 'Rex', categoryId: 7n, status: 'available' } as const;
const key = { owner: 'o', key: 'k', fingerprint: 'f' };

/** A store with twenty animals, and a transaction of another client that ends when `work` does. */
async function whileLocked(
  t: TestContext,
  lock: (tx: TransactionSql) => Promise<unknown>,
  work: (store: Store, untilOrdersWait: () => Promise<void>) => Promise<unknown>,
): Promise<Store> {
  const url = await createDatabase(server);
  const store = await openStore(url);
  t.after(() => store.close());
  await Promise.all(Array.from({ length: 20 }, () => store.createPet(rex)));
  // Opens the connections, so that the calls below take no time to speak of.
  await Promise.all([11n, 12n, 13n, 14n].map((petId) => store.createOrder({ petId })));
  await Promise.all(callsWithoutOrders(store));
  const sql = postgres(url, { max: 2, connection: { search_path: 'animal_store' } });
  t.after(() => sql.end());
  await sql.begin(async (tx) => {
    await lock(tx);
    await work(store, () => untilBlocked(sql));
  });
  return store;
}

/** Every kind of call that has nothing to do with orders. */
const callsWithoutOrders = (store: Store) => [
  store.createPet(rex),
  store.createPet(rex, { owner: 'o', key: 'k', fingerprint: 'f' }),
  listPets(store, { limit: 10 }),
  store.getPet(1n),
  listOrders(store, { limit: 10 }),
  store.countPets(),
  store.listKeyChanges(0, 10),
  store.createKey({ name: 'till', digest: randomUUID(), scopes: ['*'] }),
  store.ready(),
];

describe('calls that wait for a lock in PostgreSQL', () => {
  // Five occupied every connection of an earlier version; fifty do not fit into any number of connections.
  for (const buyers of LONG_RUN ? [5, 50] : [50]) {
    it(`${buyers} buyers of one animal delay no other call, nor other orders`, async (t) => {
      await whileLocked(
        t,
        (tx) => tx`SELECT FROM pets WHERE id = 1 FOR UPDATE`,
        async (store, untilOrdersWait) => {
          let settled = 0;
          const waiting = Array.from({ length: buyers }, () => store.createOrder({ petId: 1n }));
          for (const order of waiting) order.catch(() => {}).finally(() => settled++);
          await untilOrdersWait();
          await Promise.all([
            ...callsWithoutOrders(store),
            ...[2n, 3n, 4n].map((petId) => store.createOrder({ petId })),
          ]);
          assert.equal(settled, 0, 'the others have waited for the lock');
        },
      );
    });
  }

  it('orders of many locked animals delay no call except other orders', async (t) => {
    await whileLocked(
      t,
      (tx) => tx`SELECT FROM pets WHERE id <= 8 FOR UPDATE`,
      async (store, untilOrdersWait) => {
        let settled = 0;
        for (let petId = 1n; petId <= 8n; petId++)
          store
            .createOrder({ petId })
            .catch(() => {})
            .finally(() => settled++);
        await untilOrdersWait();
        await Promise.all(callsWithoutOrders(store));
        assert.equal(settled, 0, 'the others have waited for the lock');
      },
    );
  });

  it('are refused in time, with nothing written, and the animal can be ordered afterwards', async (t) => {
    const store = await whileLocked(
      t,
      (tx) => tx`SELECT FROM pets WHERE id = 1 FOR UPDATE`,
      async (store) => {
        const results = await Promise.allSettled(
          Array.from({ length: 50 }, () => store.createOrder({ petId: 1n })),
        );
        for (const result of results)
          assert.match(result.status === 'rejected' ? result.reason.message : '', /nothing was written/);
      },
    );
    assert.equal(orderIn(await store.createOrder({ petId: 1n })).petId, 1n);
  });
});

it('writes that wait while the database stalls for longer than they may take are refused, and the process goes on', async (t) => {
  const url = await createDatabase(server);
  const store = await openStore(url);
  t.after(() => store.close());
  const sql = postgres(url, { max: 1 });
  t.after(() => sql.end());
  const outcomes: Promise<string>[] = [];
  const outcomeOf = (write: Promise<unknown>) =>
    write.then(
      () => 'stored',
      (error: { code?: string }) => String(error.code),
    );
  await sql.begin(async (tx) => {
    // The lock that every commit takes for the numbers of its events.
    await tx.unsafe(LOCK_EVENTS);
    for (let i = 0; i < 60; i++) {
      outcomes.push(
        outcomeOf(store.createPet(rex)),
        outcomeOf(store.createPet(rex, { ...key, key: `${i}` })),
      );
      await sleep(100);
    }
  });
  const found = new Set(await Promise.all(outcomes));
  assert.ok(found.has('unavailable'));
  found.delete('stored');
  assert.deepEqual([...found], ['unavailable']);
  await store.createPet(rex);
});

it('a revoked key is refused within a second while every read waits', async (t) => {
  const DATABASE_URL = await createDatabase(server);
  const { origin } = await spawnService(t, { DATABASE_URL });
  const created = await animalStore(['keys', 'create', '--name', 'till', '--json'], { DATABASE_URL });
  const { id, key } = JSON.parse(created.stdout) as { id: string; key: string };
  await eventuallyEqual(async () => (await call(origin, 'GET', '/v1/pets', { key })).status, 200);
  const store = await openStore(DATABASE_URL);
  t.after(() => store.close());
  const sql = postgres(DATABASE_URL, { max: 2, connection: { search_path: 'animal_store' } });
  t.after(() => sql.end());
  await sql.begin(async (tx) => {
    await tx`LOCK TABLE pets IN ACCESS EXCLUSIVE MODE`;
    let answered = 0;
    const reads = Array.from({ length: 200 }, (_, i) =>
      call(origin, 'GET', `/v1/pets?limit=${1 + (i % 100)}`).then(() => answered++),
    );
    await untilBlocked(sql);
    assert.equal(answered, 0);
    await store.revokeKey(id);
    await assertSoonRefused([origin], key);
    await Promise.all(reads);
  });
});

it('a connection that cannot be opened does not fail the calls on the others', async (t) => {
  const url = (await createDatabase(server)).replace(`:${server.port}/`, `:${proxy.port}/`);
  const database = new ConnectionGroup(parseUrl(url));
  t.after(() => database.end());
  const work = () => database.write((sql) => sql`SELECT pg_sleep(0.4)`);
  await work();
  proxy.holdNew(true);
  t.after(() => proxy.holdNew(false));
  let answered = 0;
  const client = async () => {
    for (; proxy.givenUp() === 0; answered++) await work();
  };
  await Promise.all([client(), client(), client()]);
  assert.ok(answered > 3, `${answered} calls were answered until an attempt to connect had failed`);
});
