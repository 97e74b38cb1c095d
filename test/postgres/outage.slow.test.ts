import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Order } from '../../src/contract/order.ts';
import type { NewPet, Pet } from '../../src/contract/pet.ts';
import { openStore } from '../../src/store/open.ts';
import type { ConnectionGroup } from '../../src/store/postgres/pool/connection-group.ts';
import { createWriter } from '../../src/store/postgres/writer/writer.ts';
import { assertError, header } from '../support/assert.ts';
import { createDatabase, createStore, startCluster } from '../support/database/postgres.ts';
import { connect, runSql } from '../support/database/sql.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import { listOrders, listPets } from '../support/lists.ts';
import { spawnService } from '../support/service/process.ts';
import { call } from '../support/service/service.ts';
import { startProxy } from '../support/wire/proxy.ts';
import { openGroup } from './support/instance.ts';

const server = await startCluster();
const proxy = await startProxy(server.port);

const rex = { name: 'Rex', categoryId: 7 };
const throughProxy = (url: string) => url.replace(`:${server.port}/`, `:${proxy.port}/`);

/** Adds and orders animals until `isOver`. Each request is repeated with its Idempotency-Key until it succeeds. */
async function buy(
  origin: string,
  buyer: number,
  ordersByPet: Map<string, string>,
  isOver: () => boolean,
): Promise<void> {
  async function create(path: string, raw: string, key: string): Promise<string> {
    for (;;) {
      const answer = await call(origin, 'POST', path, { raw, headers: { 'idempotency-key': key } });
      if (answer.status === 201) return String((answer.json as Pet | Order).id);
      assertError(answer, 503, 'unavailable');
      assert.match(header(answer, 'retry-after') ?? '', /^\d+$/);
      await sleep(20);
    }
  }
  for (let n = 0; !isOver(); n++) {
    const petId = await create('/v1/pets', JSON.stringify(rex), `pet-${buyer}-${n}`);
    ordersByPet.set(petId, await create('/v1/store/orders', `{"petId":${petId}}`, `order-${buyer}-${n}`));
  }
}

const selecting = (database: ConnectionGroup) => () => database.read((sql) => sql.query('SELECT 1'));

/** How long an outage delays an answer, or outlasts its end, at most. */
const LIMIT_MS = 5000;
/** The machine may be busy. */
const SLACK_MS = 8000;

/** How long until a create succeeds again, in milliseconds. */
async function recovery(origin: string): Promise<number> {
  const started = performance.now();
  await eventually(
    async () => (await call(origin, 'POST', '/v1/pets', { body: rex })).status === 201,
    'a create succeeds',
  );
  return Math.round(performance.now() - started);
}

describe('when PostgreSQL fails or does not respond', () => {
  for (const signal of ['SIGINT', 'SIGKILL'] as const) {
    it(`a restart after ${signal} under load loses no acknowledged write`, async (t) => {
      const DATABASE_URL = await createDatabase(server);
      const { origin, child } = await spawnService(t, { DATABASE_URL });
      let over = false;
      const ordersByPet = new Map<string, string>();
      const writing = Promise.all(
        Array.from({ length: 16 }, (_, i) => buy(origin, i, ordersByPet, () => over)),
      );
      // One that fails is reported where `writing` is awaited, after the server has been started again.
      writing.catch(() => {});
      t.after(() => {
        over = true;
      });
      const untilWritten = async () => {
        const enough = ordersByPet.size + 50;
        await eventually(() => ordersByPet.size >= enough, 'clients write');
      };
      await untilWritten();
      await server.stop(signal);
      const outage = 'The database cannot be reached or is busy. Try again in a moment.';
      await eventuallyEqual(
        async () => ((await call(origin, 'GET', '/v1/pets')).json as { message?: string }).message,
        outage,
      );
      assert.equal(assertError(await call(origin, 'GET', '/v1/pets'), 503, 'unavailable'), outage);
      await eventuallyEqual(async () => (await call(origin, 'GET', '/readyz')).status, 503);
      assert.equal((await call(origin, 'GET', '/healthz')).status, 200);
      await server.start();
      const ms = await recovery(origin);
      assert.ok(ms < LIMIT_MS + SLACK_MS, `healthy only after ${ms} ms`);
      await untilWritten();
      over = true;
      await writing;
      assert.equal(child.exitCode, null, 'the service must keep running');
      const store = await openStore(DATABASE_URL);
      t.after(() => store.close());
      const orders = await listOrders(store, { limit: 10_000 });
      assert.deepEqual(
        orders.map(({ id, petId, status }) => [`${petId}`, `${id}`, status]).sort(),
        [...ordersByPet].map(([petId, id]) => [petId, id, 'placed']).sort(),
      );
      const pending = await listPets(store, { limit: 10_000, status: 'pending' });
      assert.deepEqual(pending.map(({ id }) => `${id}`).sort(), [...ordersByPet.keys()].sort());
      t.diagnostic(
        `${ordersByPet.size} animals and orders acknowledged, none lost; writing again after ${ms} ms`,
      );
    });
  }

  it('a server that drops packets delays a response by less than five seconds', async (t) => {
    const { origin } = await spawnService(t, { DATABASE_URL: throughProxy(await createDatabase(server)) });
    await call(origin, 'POST', '/v1/pets', { body: rex });
    proxy.swallow(true);
    const started = performance.now();
    const [list, create, refused] = await Promise.all([
      call(origin, 'GET', '/v1/pets'),
      call(origin, 'POST', '/v1/pets', { body: rex }),
      call(origin, 'POST', '/v1/pets', { body: {} }),
    ]);
    const waited = performance.now() - started;
    proxy.swallow(false);
    assert.doesNotMatch(assertError(list, 503, 'unavailable'), /writ/);
    assert.match(
      assertError(create, 503, 'unavailable'),
      /it is not known if the write took effect|nothing was written/,
    );
    assertError(refused, 400, 'invalid_request');
    assert.ok(waited < LIMIT_MS + SLACK_MS, `answered only after ${waited} ms`);
    t.diagnostic(`answered after ${Math.round(waited)} ms`);
    assert.ok((await recovery(origin)) < LIMIT_MS + SLACK_MS);
  });

  for (const [how, lose] of [
    ['never comes', () => proxy.silence()],
    ['is lost with the connection', () => proxy.cutAfterCommit()],
  ] as const)
    it(`a batch whose response ${how} is never sent a second time`, async (t) => {
      const url = throughProxy(await createStore(server));
      const writer = createWriter(openGroup(t, url));
      const create = (pet: NewPet) => writer.add({ method: 'createPet', args: [pet] });
      const given = Array.from({ length: 10 }, (_, i) => ({
        name: `pet ${i}`,
        categoryId: 1n,
        status: 'available' as const,
      }));
      await Promise.all(given.slice(0, 1).map((pet) => create(pet)));
      lose();
      const unknown = { code: 'unavailable', message: /it is not known if the write took effect/ };
      await Promise.all(given.map((pet) => assert.rejects(create(pet), unknown)));
      const store = await openStore(url);
      t.after(() => store.close());
      const stored = (await listPets(store, { limit: 100 })).map(({ name }) => name);
      assert.deepEqual(stored.toSorted(), ['pet 0', ...given.map(({ name }) => name)].toSorted());
    });

  it('a failed first connection does not prevent later ones', async (t) => {
    const select = selecting(openGroup(t, server.url('created_later'), {}));
    await assert.rejects(select(), ({ cause }) => /"created_later" does not exist/.test(String(cause)));
    await runSql(server.url('postgres'), 'CREATE DATABASE created_later');
    assert.deepEqual(await select(), [['1']]);
  });

  it('a connection that falls silent is replaced, and so is the next one that does before any call has succeeded', async (t) => {
    const url = await createDatabase(server);
    const sql = connect(t, url);
    const select = selecting(openGroup(t, throughProxy(url)));
    const isOpened = async () => {
      const sessions = await sql<{ isNew: boolean }[]>`
        SELECT backend_start > now() - interval '3 seconds' AS "isNew" FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'animal-store'`;
      return sessions.some(({ isNew }) => isNew);
    };
    await select();
    proxy.silence();
    const waiting = assert.rejects(select(), /does not answer/);
    await assert.rejects(select(), ({ cause }) =>
      /every connection waits for the server/.test(String(cause)),
    );
    await waiting;
    await eventually(isOpened, 'another connection is opened');
    // It falls silent while it is set up, or after that.
    proxy.silence();
    await assert.rejects(select(), { code: 'unavailable' });
    await eventually(() => select().then(Boolean, () => false), 'it recovers', 60_000);
  });

  it('more calls than the queue accepts are refused at once', async (t) => {
    const select = selecting(openGroup(t, throughProxy(await createDatabase(server)), {}));
    await select();
    proxy.swallow(true);
    const results = await Promise.allSettled(Array.from({ length: 2500 }, select));
    proxy.swallow(false);
    const messages = results.map((result) => (result.status === 'rejected' ? result.reason.message : ''));
    assert.equal(messages.filter((message) => /^Too many calls/.test(message)).length, 500);
    assert.equal(messages.filter((message) => /Try again in a moment/.test(message)).length, 2500);
    await eventually(() => select().then(Boolean, () => false), 'it recovers', 20_000);
  });
});
