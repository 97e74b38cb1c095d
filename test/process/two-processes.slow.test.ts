import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { openStream } from '../support/events/event-stream.ts';
import { spawnService } from '../support/service/process.ts';
import { temporaryFolder } from '../support/service/service.ts';
import { KeepAliveClient } from '../support/wire/keep-alive.ts';

const PETS = 100;

/** The ports of two services on one file, and clients that are connected to each in turn. */
async function startServices(t: TestContext, clients: number) {
  const DATABASE_URL = `sqlite:${join(await temporaryFolder(t), 'pets.db')}`;
  const services = [
    await spawnService(t, { DATABASE_URL }),
    await spawnService(t, { DATABASE_URL }),
  ] as const;
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
