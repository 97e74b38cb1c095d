import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import type { Pet } from '../../src/contract/pet.ts';
import { openStore } from '../../src/store/open.ts';
import { Database } from '../../src/store/postgres/connection.ts';
import { parseUrl } from '../../src/store/postgres/url.ts';
import { createWriter } from '../../src/store/postgres/writer.ts';
import { assertError, header } from '../support/assert.ts';
import { createCluster, createDatabase } from '../support/postgres.ts';
import { spawnService } from '../support/process.ts';
import { startProxy } from '../support/proxy.ts';
import { call, KEY } from '../support/service.ts';
import { exchange } from '../support/socket.ts';

const server = await createCluster();
await server.start();
const proxy = await startProxy(server.port);

const rex = { name: 'Rex', categoryId: 7 };
const throughProxy = (url: string) => url.replace(`:${server.port}/`, `:${proxy.port}/`);

/** Creates until told to end; every answer is a 201 or a 503 that says when to come back. */
async function write(origin: string, acknowledged: Set<string>, until: () => boolean): Promise<void> {
  while (!until()) {
    const answer = await call(origin, 'POST', '/v1/pets', { body: rex });
    if (answer.status === 201) acknowledged.add(String((answer.json as Pet).id));
    else {
      assertError(answer, 503, 'unavailable');
      assert.match(header(answer, 'retry-after') ?? '', /^\d+$/);
      await sleep(20);
    }
  }
}

/** Adds and orders animals with Idempotency-Keys until told to end. */
async function buy(origin: string, buyer: number, until: () => boolean): Promise<void> {
  for (let n = 0; !until(); n++) {
    const headers = { 'idempotency-key': `buyer-${buyer}-${n}` };
    const pet = await call(origin, 'POST', '/v1/pets', { body: rex });
    const order = await call(origin, 'POST', '/v1/store/orders', { raw: `{"petId":${idOf(pet)}}`, headers });
    assert.ok([201, 400, 503].includes(order.status), order.text);
  }
}

const idOf = ({ json }: { json: unknown }): string => String((json as Partial<Pet>).id ?? null);

/** How long until a create succeeds again, in milliseconds. */
async function recovery(origin: string): Promise<number> {
  const started = performance.now();
  while ((await call(origin, 'POST', '/v1/pets', { body: rex })).status !== 201) {
    assert.ok(performance.now() - started < 20_000, 'it does not recover');
    await sleep(20);
  }
  return Math.round(performance.now() - started);
}

/** All that one connection answers to listPets, sent so many times without waiting in between. */
function pipelined(origin: string, times: number): Promise<string> {
  const head = `GET /v1/pets HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${KEY}\r\n`;
  return exchange(
    Number(new URL(origin).port),
    `${`${head}\r\n`.repeat(times - 1)}${head}Connection: close\r\n\r\n`,
  );
}

async function allIds(origin: string): Promise<Set<string>> {
  const ids = new Set<string>();
  for (let next: string | undefined = '/v1/pets?limit=100'; next; ) {
    const answer = await call(origin, 'GET', next);
    for (const { id } of answer.json as Pet[]) ids.add(String(id));
    next = /<([^>]+)>/.exec(header(answer, 'link') ?? '')?.[1];
  }
  return ids;
}

describe('an outage of PostgreSQL', () => {
  for (const signal of ['SIGINT', 'SIGKILL'] as const) {
    it(`a restart after ${signal} under load loses nothing that was acknowledged`, async (t) => {
      const { origin, child } = await spawnService(t, { DATABASE_URL: await createDatabase(server) });
      const acknowledged = new Set<string>();
      let over = false;
      const writers = Array.from({ length: 16 }, () => write(origin, acknowledged, () => over));
      writers.push(...Array.from({ length: 4 }, (_, i) => buy(origin, i, () => over)));
      await sleep(700);
      await server.stop(signal);
      await sleep(700);
      assertError(await call(origin, 'GET', '/v1/pets'), 503, 'unavailable');
      assert.equal((await call(origin, 'GET', '/readyz')).status, 503);
      assert.equal((await call(origin, 'GET', '/healthz')).status, 200);
      await server.start();
      const ms = await recovery(origin);
      assert.ok(ms < 5000, `healthy only after ${ms} ms`);
      await sleep(500);
      over = true;
      await Promise.all(writers);
      assert.equal(child.exitCode, null, 'the service ended');
      const kept = await allIds(origin);
      assert.deepEqual(
        [...acknowledged].filter((id) => !kept.has(id)),
        [],
      );
      t.diagnostic(`${acknowledged.size} acknowledged, none lost; writing again after ${ms} ms`);
    });
  }

  it('a server that swallows packets is answered for within five seconds', async (t) => {
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
    assertError(list, 503, 'unavailable');
    assertError(create, 503, 'unavailable');
    assertError(refused, 400, 'invalid_request');
    assert.ok(waited < 5000, `answered only after ${waited} ms`);
    t.diagnostic(`answered after ${Math.round(waited)} ms`);
    assert.ok((await recovery(origin)) < 5000);
  });

  it('a batch whose answer is lost on the way is never sent a second time', async (t) => {
    const url = throughProxy(await createDatabase(server));
    await (await openStore(url)).close();
    const database = new Database(parseUrl(url));
    t.after(() => database.end());
    const create = createWriter(database);
    const given = Array.from({ length: 10 }, (_, i) => ({
      pet: { name: `pet ${i}`, categoryId: 1n, status: 'available' as const },
    }));
    await create(given.slice(0, 1));
    proxy.silence();
    for (const outcome of await create(given)) assert.equal(outcome.ok, false);
    const store = await openStore(url);
    t.after(() => store.close());
    const kept = (await store.listPets({ limit: 100 })).map(({ name }) => name);
    assert.deepEqual(kept.toSorted(), ['pet 0', ...given.map(({ pet }) => pet.name)].toSorted());
  });

  it('a first connection that came to nothing is not remembered', async (t) => {
    const database = new Database(parseUrl(server.url('made_later')));
    t.after(() => database.end());
    const ask = () => database.read((sql) => sql`SELECT 1 AS one`);
    await assert.rejects(ask(), /"made_later" does not exist/);
    const sql = postgres(server.url('postgres'), { max: 1 });
    await sql`CREATE DATABASE made_later`;
    await sql.end();
    assert.equal((await ask())[0]?.one, 1);
  });

  it('a locked row holds up nobody else', async (t) => {
    const url = await createDatabase(server);
    const { origin } = await spawnService(t, { DATABASE_URL: url });
    const locked = idOf(await call(origin, 'POST', '/v1/pets', { body: rex }));
    const sql = postgres(url, { max: 1 });
    let waiting: Promise<unknown> = Promise.resolve();
    await sql.begin(async (tx) => {
      await tx`SELECT FROM animal_store.pets WHERE id = ${locked} FOR UPDATE`;
      let ordered = false;
      waiting = call(origin, 'POST', '/v1/store/orders', { raw: `{"petId":${locked}}` }).then(
        ({ status }) => {
          ordered = true;
          assert.equal(status, 201);
        },
      );
      await sleep(200);
      assert.equal((await call(origin, 'POST', '/v1/pets', { body: rex })).status, 201);
      assert.equal((await call(origin, 'GET', '/readyz')).status, 200);
      assert.equal(ordered, false, 'the order did not wait for the lock');
    });
    await waiting;
    await sql.end();
  });

  it('more calls than the queue takes are refused at once', async (t) => {
    const { origin } = await spawnService(t, { DATABASE_URL: throughProxy(await createDatabase(server)) });
    await call(origin, 'GET', '/v1/pets');
    proxy.swallow(true);
    const answers = (await Promise.all(Array.from({ length: 25 }, () => pipelined(origin, 100)))).join('');
    proxy.swallow(false);
    const count = (part: string) => answers.split(part).length - 1;
    assert.deepEqual([count('HTTP/1.1 '), count('HTTP/1.1 503 ')], [2500, 2500]);
    const refused = count('Too many calls');
    assert.ok(refused > 0, 'none was refused by the queue');
    t.diagnostic(`of 2500 calls ${refused} were refused at once, the others after their bound`);
    assert.ok((await recovery(origin)) < 5000);
  });

  it('a connection lost after the commit was sent is 503, and the Idempotency-Key finds the truth', async (t) => {
    const { origin } = await spawnService(t, { DATABASE_URL: throughProxy(await createDatabase(server)) });
    await call(origin, 'POST', '/v1/pets', { body: rex });
    proxy.cutBeforeAnswer();
    const headers = { 'idempotency-key': 'unknown-outcome' };
    assertError(await call(origin, 'POST', '/v1/pets', { body: rex, headers }), 503, 'unavailable');
    await sleep(400);
    const again = await call(origin, 'POST', '/v1/pets', { body: rex, headers });
    assert.deepEqual([again.status, header(again, 'idempotent-replayed')], [201, 'true']);
    assert.equal(((await call(origin, 'GET', '/v1/pets')).json as Pet[]).length, 2);
  });
});
