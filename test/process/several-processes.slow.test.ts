import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { clientOf, collect } from '../client/support/client.ts';
import { bothStores } from '../support/database/both-stores.ts';
import { openStream } from '../support/events/event-stream.ts';
import { eventually } from '../support/eventually.ts';
import { LONG_RUN } from '../support/service/attacked-service.ts';
import { freePort } from '../support/service/free-port.ts';
import { assertShutsDown, type RunningService, spawnService } from '../support/service/process.ts';
import { KeepAliveClient } from '../support/wire/keep-alive.ts';

const CLIENTS = 16;
const REPLACEMENTS = LONG_RUN ? 6 : 2;
/** Of the clients together, between two replacements. */
const CREATES = 100;
const PETS = 100;

const [[, newFile]] = bothStores;

describe('several processes on one port', { timeout: 300_000 }, () => {
  for (const [name, newDatabase] of bothStores)
    it(`lose and double nothing while one after the other is replaced: ${name}`, async (t) => {
      const env = { DATABASE_URL: await newDatabase(t), PORT: `${await freePort()}`, REUSE_PORT: 'true' };
      const running = [await spawnService(t, env), await spawnService(t, env)];
      const [{ origin }] = running as [RunningService, RunningService];

      let lost = 0;
      const statuses = new Set<number>();
      const counting: typeof fetch = async (...args) => {
        const response = await fetch(...args).catch((error) => {
          lost++;
          throw error;
        });
        statuses.add(response.status);
        return response;
      };
      const store = clientOf(`${origin}/v1`, { fetch: counting });
      const acknowledged: string[] = [];
      let isOver = false;
      const create = async (client: number) => {
        for (let n = 0; !isOver; n++)
          acknowledged.push((await store.createPet({ name: `${client}-${n}`, categoryId: 1 })).name);
      };
      const clients = Promise.all(Array.from({ length: CLIENTS }, (_, client) => create(client)));
      for (let n = 0; n < REPLACEMENTS; n++) {
        const enough = acknowledged.length + CREATES;
        await eventually(() => acknowledged.length >= enough, 'animals are added');
        running.push(await spawnService(t, env));
        await assertShutsDown(running.shift() as RunningService);
      }
      isOver = true;
      await clients;
      assert.deepEqual([...statuses], [201]);
      const names = (await collect(store.pets())).map((pet) => pet.name);
      assert.deepEqual(names.sort(), acknowledged.sort());
      t.diagnostic(`${names.length} creates, ${lost} connections lost in ${REPLACEMENTS} replacements`);
    });
});

/** The ports of two services on one file, and clients that are connected to each in turn. */
async function startServices(t: TestContext, clients: number) {
  const env = { DATABASE_URL: await newFile(t) };
  const services = [await spawnService(t, env), await spawnService(t, env)];
  const ports = services.map(({ port }) => port);
  const connected = Array.from({ length: clients }, (_, n) => new KeepAliveClient(ports[n % 2] ?? 0));
  t.after(() => connected.map((client) => client.close()));
  return { ports, clients: connected };
}

const assertCreated = ({ status, body }: { status: number; body: string }) => {
  assert.equal(status, 201, body);
  return JSON.parse(body) as { id: number };
};

describe('two processes on one SQLite file', { timeout: 120_000 }, () => {
  it('each see at once what the other has acknowledged, and stream it once and in the same order', async (t) => {
    const { ports, clients } = await startServices(t, 2);
    const streams = await Promise.all(ports.map((port) => openStream(t, port)));
    const ids: number[] = [];
    for (let n = 0; n < PETS; n++) {
      const created = (await clients[n % 2]?.createPet(`pet ${n}`)) ?? assert.fail();
      const { id } = assertCreated(created);
      ids.push(id);
      const reads = clients.flatMap((client) =>
        [`id=${id}`, 'limit=1'].map((query) => client.get(`/v1/pets?${query}`)),
      );
      for (const { body } of await Promise.all(reads)) assert.equal(body, `[${created.body}]`);
    }
    for (const stream of streams) {
      const frames = await stream.received(PETS);
      assert.deepEqual(
        frames.map(({ data }) => JSON.parse(data).pet.id),
        ids,
      );
    }
  });

  it('add one animal for a hundred creates at once with one Idempotency-Key', async (t) => {
    const { clients } = await startServices(t, 100);
    const replies = await Promise.all(
      clients.map((client) => client.createPet('once', { 'idempotency-key': 'k' })),
    );
    replies.map(assertCreated);
    assert.equal(new Set(replies.map(({ body }) => body)).size, 1);
    for (const client of clients.slice(0, 2))
      assert.equal((await client.get('/v1/store/inventory')).body, '{"available":1,"pending":0,"sold":0}');
  });
});
