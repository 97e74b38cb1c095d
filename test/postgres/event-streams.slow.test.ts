import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { clientOf } from '../client/support/client.ts';
import { collectEvents } from '../client/support/events.ts';
import { createCluster, createDatabase } from '../support/database/postgres.ts';
import { type Frame, openStream } from '../support/events/event-stream.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import { freePort } from '../support/service/free-port.ts';
import { spawnService } from '../support/service/process.ts';
import { call } from '../support/service/service.ts';
import { startProxy } from '../support/wire/proxy.ts';

const server = await createCluster();
await server.start();
const proxy = await startProxy(server.port);

async function startInstances(t: TestContext, count: number, url?: string) {
  const DATABASE_URL = url ?? (await createDatabase(server));
  return Promise.all(Array.from({ length: count }, () => spawnService(t, { DATABASE_URL })));
}

/** Adds animals, all clients at once, and returns the names of those that were acknowledged. */
async function createPets(origins: readonly string[], perClient: number): Promise<string[]> {
  const clients = Array.from({ length: 8 }, async (_, client) => {
    const names = Array.from({ length: perClient }, (_, n) => `pet ${n} of ${client}`);
    for (const [n, name] of names.entries()) {
      const origin = origins[(client + n) % origins.length] ?? '';
      assert.equal((await call(origin, 'POST', '/v1/pets', { body: { name, categoryId: 1 } })).status, 201);
    }
    return names;
  });
  return (await Promise.all(clients)).flat();
}

const nameOf = ({ data }: Frame): string => (JSON.parse(data) as { pet: { name: string } }).pet.name;

describe('streams of events on PostgreSQL', { timeout: 120_000 }, () => {
  it('of every instance have every change of every instance once, in the same order', async (t) => {
    const instances = await startInstances(t, 2);
    const streams = [];
    for (const { port } of [...instances, ...instances]) streams.push(await openStream(t, port));
    const writing = createPets(
      instances.map(({ origin }) => origin),
      50,
    );
    // One that begins in between, from the first event that another one has got.
    const [first] = (await streams[0]?.received(1)) ?? [];
    const late = await openStream(t, instances[1]?.port ?? 0, { query: `?after=${first?.id}` });
    const created = await writing;
    const [frames = [], ...others] = await Promise.all(
      streams.map((stream) => stream.received(created.length)),
    );
    assert.deepEqual(frames.map(nameOf).sort(), created.sort());
    for (const other of others) assert.deepEqual(other, frames);
    assert.deepEqual(await late.received(created.length - 1), frames.slice(1));
  });

  it('go on after an outage of the database, without a gap', async (t) => {
    const url = (await createDatabase(server)).replace(`:${server.port}/`, `:${proxy.port}/`);
    const [service] = await startInstances(t, 1, url);
    const origin = service?.origin ?? '';
    const { names } = collectEvents(t, clientOf(`${origin}/v1`));
    const raw = await openStream(t, service?.port ?? 0);
    const before = await createPets([origin], 2);
    await raw.received(before.length);
    proxy.switchTo(await freePort());
    await eventually(
      async () => (await call(origin, 'GET', '/v1/store/inventory')).status === 503,
      'the database is out of reach',
    );
    proxy.switchTo(server.port);
    await eventually(
      async () => (await call(origin, 'GET', '/v1/store/inventory')).status === 200,
      'the database is back',
    );
    const after = await createPets([origin], 2);
    await eventuallyEqual(() => names().toSorted(), [...before, ...after].sort());
    assert.equal((await raw.received(before.length + after.length)).length, before.length + after.length);
    assert.equal(raw.isClosed, false);
  });
});
