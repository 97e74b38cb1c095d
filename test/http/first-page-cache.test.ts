import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Operation } from '../../src/contract/operation.ts';
import type { NewPet } from '../../src/contract/pet.ts';
import { cacheFirstPages } from '../../src/http/operations/first-page-cache.ts';
import type { Call } from '../../src/http/request/request.ts';
import { jsonAnswer } from '../../src/http/response/answer.ts';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';
import { inOneTick, request } from '../support/conversation.ts';
import { heapUsed } from '../support/heap.ts';
import { KeepAliveClient, type Reply } from '../support/keep-alive.ts';
import { type Service, startService, temporaryFolder } from '../support/service.ts';
import type { RawAnswer } from '../support/socket.ts';

const rex: NewPet = { name: 'Rex', categoryId: 7n, status: 'available' };

interface Opened {
  readonly service: Service;
  /** A second store on the same file, as another process would have. */
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

/** The same list in different spellings, and how many animals each may hold. */
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

describe('a first page', { timeout: 60_000 }, () => {
  it('has every animal that was acknowledged before, at once and on another connection', async (t) => {
    const { connect } = await open(t);
    const [writer, reader] = [connect(), connect()];
    for (let n = 0; n < 200; n++) {
      const { id } = JSON.parse((await writer.createPet('Rex')).body) as { id: number };
      const [target, limit] = lists[n % 2 === 0 ? 0 : n % lists.length] as [string, number];
      const ids = idsIn(await reader.get(target));
      assert.equal(ids[0], id, `create ${n}`);
      assert.equal(ids.length, Math.min(limit, id));
    }
  });

  it('has every animal that another process committed before', async (t) => {
    const { other, connect } = await open(t);
    const reader = connect();
    for (let n = 0; n < 120; n++) {
      const { value } = await other.createPet(rex);
      assert.equal(idsIn(await reader.get('/v1/pets'))[0], Number(value.id), `create ${n}`);
    }
  });

  for (const by of ['this process', 'another process'] as const) {
    it(`shows an order and its animal as ${by} left them`, async (t) => {
      const { service, other, connect } = await open(t);
      const [store, reader] = [by === 'this process' ? service.store : other, connect()];
      const listed = async (status: string) => idsIn(await reader.get(`/v1/pets?status=${status}`));
      const orders = async (status: string) => idsIn(await reader.get(`/v1/store/orders?status=${status}`));
      const id = Number((await service.store.createPet(rex)).value.id);
      for (let n = 0; n < 25; n++) {
        const { value: order } = await store.createOrder({ petId: BigInt(id) });
        assert.deepEqual(await Promise.all([listed('available'), listed('pending')]), [[], [id]]);
        assert.deepEqual(await orders('placed'), [Number(order.id)]);
        await store.updateOrder(order.id, { status: 'cancelled' });
        assert.deepEqual(await Promise.all([listed('available'), listed('pending')]), [[id], []]);
        assert.deepEqual(await orders('placed'), []);
        assert.equal((await orders('cancelled'))[0], Number(order.id));
      }
    });
  }

  it('is one that there was between its request and its answer, in every spelling, while others write', async (t) => {
    const { other, connect } = await open(t);
    let [acknowledged, writing, read] = [0, true, 0];
    const clients = [connect(), connect(), connect()];

    /** By turns, so that neither has to wait for the lock of the other; with pauses, in which what is kept is asked for. */
    async function write(): Promise<void> {
      for (let n = 0; n < 60; n++) {
        const creates = clients.map(async (client) => {
          const { id } = JSON.parse((await client.createPet('Rex')).body) as { id: number };
          acknowledged = Math.max(acknowledged, id);
        });
        await Promise.all(creates);
        await sleep(3);
        acknowledged = Number((await other.createPet(rex)).value.id);
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
    assert.ok(read > 100, `${read} pages were read meanwhile`);
    assert.equal(acknowledged, 240);
  });

  it('is that of its own spelling, also for those who ask at the same moment', async (t) => {
    const { service } = await open(t);
    for (let n = 0; n < 3; n++) await service.store.createPet(rex);
    const targets = Array.from({ length: 60 }, (_, n) => `/v1/pets?limit=${1 + (n % 2)}&x=${n % 20}`);
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

describe('what is kept of a first page', { timeout: 60_000 }, () => {
  it('is never given when anything was committed since it was read, be it at the very next moment', async (t) => {
    const file = join(await temporaryFolder(t), 'pets.db');
    const store = await openStore(`sqlite:${file}`);
    t.after(() => store.close());
    const db = new DatabaseSync(file);
    t.after(() => db.close());
    let committed = 0;
    const list = cacheFirstPages(store, async () => {
      const [newest] = await store.listPets({ limit: 1 });
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

  const spellings = Array.from({ length: 40 }, (_, n) => `${n}`);
  const ways: [string, string[][]][] = [
    ['one after the other', spellings.map((spelling) => [spelling])],
    ['at once', [spellings]],
  ];
  for (const [how, turns] of ways) {
    it(`takes up little memory, in however many spellings it is asked for ${how}`, async (t) => {
      const { service } = await open(t);
      // Some 600 kB as text, twice that in memory: as large as a page can be.
      const large: NewPet = { ...rex, name: `\u{1F415}${'\u0001'.repeat(999)}` };
      await Promise.all(Array.from({ length: 100 }, () => service.store.createPet(large)));
      const ask = async (turn: string[]) => {
        const requests = turn.map((spelling) => request(`GET /v1/pets?limit=100&x=${spelling}`));
        for (const { status } of await inOneTick(service.port, requests)) assert.equal(status, 200);
      };
      await ask(['first']);
      const before = heapUsed();
      for (const turn of turns) await ask(turn);
      const grown = heapUsed() - before;
      assert.ok(grown < 25_000_000, `${grown} bytes more`);
    });
  }
});
