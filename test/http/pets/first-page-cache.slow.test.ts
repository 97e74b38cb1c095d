import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Operation } from '../../../src/contract/operation.ts';
import type { NewPet } from '../../../src/contract/pet.ts';
import { jsonAnswer } from '../../../src/http/answer.ts';
import { cacheFirstPages } from '../../../src/http/operations/first-page-cache.ts';
import type { Call } from '../../../src/http/request/request.ts';
import { openStore } from '../../../src/store/open.ts';
import type { Store } from '../../../src/store/store.ts';
import { openSqliteFile } from '../../support/database/sqlite-file.ts';
import { listPets } from '../../support/lists.ts';
import { heapUsed } from '../../support/measure/heap.ts';
import { orderIn, petIn } from '../../support/service/created.ts';
import { type Service, startService, temporaryFolder } from '../../support/service/service.ts';
import { inOneTick, request } from '../../support/wire/conversation.ts';
import { KeepAliveClient, type Reply } from '../../support/wire/keep-alive.ts';
import type { RawAnswer } from '../../support/wire/socket.ts';

const rex: NewPet = { name: 'Rex', categoryId: 7n, status: 'available' };

interface Opened {
  readonly service: Service;
  /** A second store on the same file, such as another process has. */
  readonly other: Store;
  connect(): KeepAliveClient;
}

async function open(t: TestContext): Promise<Opened> {
  const database = `sqlite:${join(await temporaryFolder(t), 'pets.db')}`;
  const service = await startService(t, { database });
  const other = await openStore(database);
  t.after(() => other.close());
  const connect = () => {
    const client = new KeepAliveClient(service.port);
    t.after(() => client.close());
    return client;
  };
  return { service, other, connect };
}

const idsIn = ({ status, body }: Reply): number[] => {
  assert.equal(status, 200, body);
  return (JSON.parse(body) as { id: number }[]).map(({ id }) => id);
};

/** Different spellings of the query, and the page size of each. */
const lists: [string, number][] = [
  ['/v1/pets', 20],
  ['/v1/pets?', 20],
  ['/v1/pets?limit=20', 20],
  ['/v1/pets?limit=1', 1],
  ['/v1/pets?limit=100', 100],
  ['/v1/pets?status=available', 20],
  ['/v1/pets?status=available&limit=3', 3],
  ['/v1/pets?limit=3&status=available', 3],
  ['/v1/pets?x=1', 20],
  ['/v1/pets?l%69mit=2', 2],
];

describe('a first page', { timeout: 300_000 }, () => {
  for (const by of ['this process', 'another process'] as const) {
    it(`shows an order and its animal as ${by} last changed them`, async (t) => {
      const { service, other, connect } = await open(t);
      const [store, reader] = [by === 'this process' ? service.store : other, connect()];
      const listed = async (status: string) => idsIn(await reader.get(`/v1/pets?status=${status}`));
      const orders = async (status: string) => idsIn(await reader.get(`/v1/store/orders?status=${status}`));
      const id = Number(petIn(await service.store.createPet(rex)).id);
      for (let n = 0; n < 25; n++) {
        const order = orderIn(await store.createOrder({ petId: BigInt(id) }));
        assert.deepEqual(await Promise.all([listed('available'), listed('pending')]), [[], [id]]);
        assert.deepEqual(await orders('placed'), [Number(order.id)]);
        await store.updateOrder(order.id, { status: 'cancelled' });
        assert.deepEqual(await Promise.all([listed('available'), listed('pending')]), [[id], []]);
        assert.deepEqual(await orders('placed'), []);
        assert.equal((await orders('cancelled'))[0], Number(order.id));
      }
    });
  }

  it('shows a state that existed between its request and its response, in every spelling, during concurrent writes', async (t) => {
    const { other, connect } = await open(t);
    let [acknowledged, writing, read] = [0, true, 0];
    const clients = [connect(), connect(), connect()];

    /** Alternates between the two writers, so that neither waits for the lock, and pauses, so that cached pages are read. */
    async function write(): Promise<void> {
      for (let n = 0; n < 60; n++) {
        const creates = clients.map(async (client) => {
          const { id } = JSON.parse((await client.createPet('Rex')).body) as { id: number };
          acknowledged = Math.max(acknowledged, id);
        });
        await Promise.all(creates);
        await sleep(3);
        acknowledged = Number(petIn(await other.createPet(rex)).id);
        await sleep(3);
      }
    }
    async function keepReading(first: number): Promise<void> {
      const client = connect();
      for (let n = first; writing; n++) {
        const [target, limit] = lists[n % lists.length] as [string, number];
        const before = acknowledged;
        const reply = await client.get(target);
        const [newest = 0, ...ids] = idsIn(reply);
        assert.ok(newest >= before, `${target} ends at ${newest}, though ${before} was acknowledged`);
        assert.deepEqual(
          ids,
          Array.from({ length: Math.max(0, Math.min(limit, newest) - 1) }, (_, at) => newest - 1 - at),
        );
        assert.equal(reply.headers.link !== undefined, newest > limit);
        read++;
      }
    }

    const readers = Array.from({ length: 16 }, (_, first) => keepReading(first));
    await write();
    writing = false;
    await Promise.all(readers);
    assert.ok(read > 100, `${read} pages were read during the writes`);
    assert.equal(acknowledged, 240);
  });

  it('has the links of its own query, even when different queries arrive in one tick', async (t) => {
    const { service } = await open(t);
    for (let n = 0; n < 3; n++) await service.store.createPet(rex);
    const targets = Array.from(
      { length: 60 },
      (_, n) => `/v1/pets?limit=${'0'.repeat(n % 20)}${1 + (n % 2)}`,
    );
    for (let round = 0; round < 3; round++) {
      const answers = await inOneTick(
        service.port,
        targets.map((target) => request(`GET ${target}`)),
      );
      for (const [n, target] of targets.entries()) {
        const { headers, body } = answers[n] as RawAnswer;
        assert.deepEqual(
          (JSON.parse(body) as { id: number }[]).map(({ id }) => id),
          n % 2 === 0 ? [3] : [3, 2],
        );
        const query = target.slice(target.indexOf('?'));
        assert.ok(headers.link?.startsWith(`<${query}&cursor=`), `${headers.link} for ${target}`);
      }
    }
  });
});

describe('a cached first page', { timeout: 300_000 }, () => {
  it('is never served after a commit, not even one immediately after the page was read', async (t) => {
    const { store, db } = await openSqliteFile(t);
    let committed = 0;
    const list = cacheFirstPages(store, async () => {
      const [newest] = await listPets(store, { limit: 1 });
      db.exec("INSERT INTO pets (name, category_id, status) VALUES ('Rex', 7, 'available')");
      committed++;
      return jsonAnswer(200, String(newest?.id ?? 0));
    });
    const call = { request: { query: '' } } as Call<Operation>;
    for (let n = 0; n < 20; n++) {
      const before = committed;
      assert.equal(Number((await list(call)).body), before);
    }
  });

  it('uses little memory, even when it is empty and requested with countless names', async (t) => {
    const store = await openStore('sqlite::memory:');
    t.after(() => store.close());
    const list = cacheFirstPages<Operation>(store, async () => jsonAnswer(200, '[]'));
    const ask = (name: number) => list({ request: { query: `name=${name}` } } as Call<Operation>);
    await ask(0);
    const before = heapUsed();
    for (let name = 1; name <= 40_000; name++) await ask(name);
    const grown = heapUsed() - before;
    assert.ok(grown < 6_000_000, `${grown} bytes more`);
  });

  const spellings = Array.from({ length: 40 }, (_, n) => `${n}`);
  const orders: [string, string[][]][] = [
    ['one after the other', spellings.map((spelling) => [spelling])],
    ['at once', [spellings]],
  ];
  for (const [how, batches] of orders) {
    it(`uses little memory, even when it is requested in many spellings ${how}`, async (t) => {
      const { service } = await open(t);
      // About 600 kB as text and twice that in memory, which is the largest possible page.
      const large: NewPet = { ...rex, name: `\u{1F415}${'\u0001'.repeat(999)}` };
      await Promise.all(Array.from({ length: 100 }, () => service.store.createPet(large)));
      const ask = async (batch: string[]) => {
        const requests = batch.map((spelling) => request(`GET /v1/pets?limit=100&x=${spelling}`));
        for (const { status } of await inOneTick(service.port, requests)) assert.equal(status, 200);
      };
      await ask(['first']);
      const before = heapUsed();
      for (const batch of batches) await ask(batch);
      const grown = heapUsed() - before;
      assert.ok(grown < 25_000_000, `${grown} bytes more`);
    });
  }
});
