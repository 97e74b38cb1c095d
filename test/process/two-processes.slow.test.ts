import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import type { NamedPet } from '../support/database/database.ts';
import { openStream } from '../support/events/event-stream.ts';
import { spawnService } from '../support/service/process.ts';
import { temporaryFolder } from '../support/service/service.ts';
import { KeepAliveClient } from '../support/wire/keep-alive.ts';

const PETS = 100;

type Pair = readonly [KeepAliveClient, KeepAliveClient];

/** The ports of two services on one file. */
async function startOnPorts(t: TestContext): Promise<readonly [number, number]> {
  const DATABASE_URL = `sqlite:${join(await temporaryFolder(t), 'pets.db')}`;
  const [one, other] = [await spawnService(t, { DATABASE_URL }), await spawnService(t, { DATABASE_URL })];
  return [one.port, other.port];
}

function connectTo(t: TestContext, port: number): KeepAliveClient {
  const client = new KeepAliveClient(port);
  t.after(() => client.close());
  return client;
}

/** Two services on one file; the function connects a client to each. */
async function startServices(t: TestContext): Promise<() => Pair> {
  const [one, other] = await startOnPorts(t);
  return () => [connectTo(t, one), connectTo(t, other)];
}

/** The client for a number: each in turn. */
const inTurn = (clients: Pair, n: number): KeepAliveClient => clients[n % 2 === 0 ? 0 : 1];

async function createPets(clients: Pair): Promise<NamedPet[]> {
  const pets: NamedPet[] = [];
  for (let n = 0; n < PETS; n++) {
    const { status, body } = await inTurn(clients, n).createPet(`pet ${n}`);
    assert.equal(status, 201, body);
    pets.push(JSON.parse(body));
  }
  return pets;
}

describe('two processes on one SQLite file', { timeout: 120_000 }, () => {
  it('each see at once what the other has acknowledged', async (t) => {
    const clients = (await startServices(t))();
    for (let n = 0; n < PETS; n++) {
      const { body } = await inTurn(clients, n).createPet(`pet ${n}`);
      const reads = clients.flatMap((client) =>
        [`id=${JSON.parse(body).id}`, 'limit=1'].map((query) => client.get(`/v1/pets?${query}`)),
      );
      for (const { body: page } of await Promise.all(reads)) assert.equal(page, `[${body}]`);
    }
  });

  it('each stream the changes that were made through either, once and in the same order', async (t) => {
    const [one, other] = await startOnPorts(t);
    const streams = [await openStream(t, one), await openStream(t, other)];
    const pets = await createPets([connectTo(t, one), connectTo(t, other)]);
    for (const stream of streams) {
      const frames = await stream.received(PETS);
      assert.deepEqual(
        frames.map(({ data }) => JSON.parse(data).pet.id),
        pets.map(({ id }) => id),
      );
    }
  });

  it('continue the pages of one another: every animal is listed once', async (t) => {
    const clients = (await startServices(t))();
    const pets = await createPets(clients);
    const listed: NamedPet[] = [];
    let pages = 0;
    for (let query: string | undefined = '?limit=7'; query !== undefined; pages++) {
      const { headers, body } = await inTurn(clients, pages).get(`/v1/pets${query}`);
      listed.push(...JSON.parse(body));
      query = /<([^>]+)>; rel="next"/.exec(String(headers.link))?.[1];
    }
    assert.equal(pages, Math.ceil(PETS / 7));
    assert.deepEqual(listed, pets.toReversed());
  });

  it('add one animal for a hundred creates at once with one Idempotency-Key', async (t) => {
    const connect = await startServices(t);
    const clients = Array.from({ length: 50 }, connect).flat();
    const replies = await Promise.all(
      clients.map((client) => client.createPet('once', { 'idempotency-key': 'k' })),
    );
    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([201]));
    assert.equal(new Set(replies.map(({ body }) => body)).size, 1);
    for (const client of connect())
      assert.equal((await client.get('/v1/store/inventory')).body, '{"available":1,"pending":0,"sold":0}');
  });
});
