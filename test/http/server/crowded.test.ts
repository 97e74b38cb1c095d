import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Store } from '../../../src/store/store.ts';
import { assertError } from '../../support/assert.ts';
import { openStream } from '../../support/events/event-stream.ts';
import { eventually } from '../../support/eventually.ts';
import { KEY, startService } from '../../support/service/service.ts';
import { AUTH, type Conversation, converse, HOST, request } from '../../support/wire/conversation.ts';

const CONNECTIONS = 40;
const OTHER_KEY = 'another-key-of-the-suite';
const HEALTH = request('GET /healthz', HOST);
const HALF_A_BODY = request('POST /v1/pets', `${HOST}${AUTH}Content-Length: 100\r\n`, '{');

async function startCrowded(t: TestContext, limits = {}, observe = (store: Store) => store) {
  const config = { apiKeys: [KEY, OTHER_KEY] };
  const few = { connections: CONNECTIONS, checkMs: 20, ...limits };
  const service = await startService(t, { config, limits: few, observe });
  const open = async (bytes: string, isAnswered: boolean): Promise<Conversation> => {
    const connection = converse(service.port);
    connection.socket.on('error', () => {});
    t.after(() => connection.socket.destroy());
    connection.send(bytes);
    if (isAnswered) assert.equal((await connection.next()).status, 200);
    return connection;
  };
  return { service, open };
}

describe('when all connections are taken', { timeout: 120_000 }, () => {
  for (const [what, bytes] of Object.entries({ heads: HEALTH.slice(0, -2), bodies: HALF_A_BODY }))
    it(`requests whose ${what} do not arrive make room for new clients, and a stream does not`, async (t) => {
      const { service, open } = await startCrowded(t);
      const stream = await openStream(t, service.port);
      for (let n = 1; n < CONNECTIONS; n++) await open(bytes, false);
      // Until they are read, the connections are idle in any case.
      await sleep(200);
      for (let n = 0; n < 2 * CONNECTIONS; n++) await open(HEALTH, true);
      assert.match(
        (await service.call('GET', '/metrics')).text,
        /^animal_store_refused_connections_total 0$/m,
      );
      assert.equal(stream.isClosed, false);
    });

  it('the longest idle one makes room', async (t) => {
    const { open } = await startCrowded(t);
    const [used, longestIdle] = [await open(HEALTH, true), await open(HEALTH, true)];
    for (let n = 2; n < CONNECTIONS; n++) await open(HEALTH, true);
    used.send(HEALTH);
    await used.next();
    await open(HEALTH, true);
    await assert.rejects(longestIdle.next());
    used.send(HEALTH);
    assert.equal((await used.next()).status, 200);
  });

  it('requests at work are never cut off: a new connection is refused, counted and logged', async (t) => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    let calls = 0;
    const getPet = () => {
      calls++;
      return released;
    };
    const observe = (store: Store): Store => Object.assign(Object.create(store), { getPet });
    const { service, open } = await startCrowded(t, {}, observe);
    const working = await Promise.all(
      Array.from({ length: CONNECTIONS }, () => open(request('GET /v1/pets/1'), false)),
    );
    await eventually(() => calls === CONNECTIONS, 'all are at work');
    const begin = performance.now();
    for (let n = 0; n < 2; n++) {
      const refused = await open(HEALTH, false);
      assert.deepEqual(await refused.rest().catch(() => []), []);
    }
    const lines = service.log.filter((line) => line.refused === 1).length;
    // At most every ten seconds.
    assert.ok(lines > 0 && lines <= 1 + (performance.now() - begin) / 10_000, `${lines} lines`);
    release();
    for (const { next } of working) assertError(await next(), 404, 'pet_not_found');
    const { text } = await service.call('GET', '/metrics');
    assert.match(text, /^animal_store_refused_connections_total 2$/m);
  });
});

it('a request that is executed is answered, although new clients need room in the same moment', {
  timeout: 120_000,
}, async (t) => {
  let [calls, answers] = [0, 0];
  const observe = (store: Store): Store =>
    Object.assign(Object.create(store), {
      getPet(id: bigint) {
        calls++;
        return store.getPet(id);
      },
    });
  for (let round = 0; round < 10; round++) {
    // A new one each time: connections of the last round that the service has not closed yet would need room as well.
    const { open } = await startCrowded(t, {}, observe);
    const clients = await Promise.all(Array.from({ length: CONNECTIONS }, () => open(HEALTH, true)));
    for (const { send } of clients) send(request('GET /v1/pets/1'));
    for (let n = 0; n < 10; n++) await open(HEALTH, false);
    const outcomes = await Promise.allSettled(clients.map(({ next }) => next()));
    answers += outcomes.filter(({ status }) => status === 'fulfilled').length;
  }
  assert.equal(calls, answers);
});

describe('streams of events', { timeout: 120_000 }, () => {
  const OTHER = `${HOST}Authorization: Bearer ${OTHER_KEY}\r\n`;
  const statuses = (opened: readonly { answer: { status: number } }[]) =>
    opened.map(({ answer }) => answer.status).sort();

  it('take a quarter of the connections at most, and those of a key half of that, also when it opens many at once', async (t) => {
    const { service } = await startCrowded(t);
    const open = (head?: string) => openStream(t, service.port, head === undefined ? {} : { head });
    const own = await Promise.all(Array.from({ length: 8 }, () => open()));
    assert.deepEqual(statuses(own), [...Array(5).fill(200), ...Array(3).fill(503)]);
    assert.match(
      assertError((await open()).answer, 503, 'unavailable'),
      /^The limit of streams of events of this API key \(5\) is reached\./,
    );
    const others = await Promise.all(Array.from({ length: 5 }, () => open(OTHER)));
    assert.deepEqual(statuses(others), Array(5).fill(200));
    assert.match(
      assertError((await open()).answer, 503, 'unavailable'),
      /^The limit of streams of events \(10\) is reached\./,
    );
    assert.equal((await service.call('GET', '/v1/pets')).status, 200);
  });
});
