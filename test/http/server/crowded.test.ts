import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { Store } from '../../../src/store/store.ts';
import { assertError } from '../../support/assert.ts';
import { openStream } from '../../support/events/event-stream.ts';
import { eventually } from '../../support/eventually.ts';
import { KEY, startService } from '../../support/service/service.ts';
import { AUTH, type Conversation, converse, HOST, request } from '../../support/wire/conversation.ts';

const CONNECTIONS = 40;
const OTHER_KEY = 'another-key-of-the-suite';
const HEALTH = request('GET /healthz', HOST);
const LIST = request('GET /v1/pets', `${HOST}Authorization: Bearer ${OTHER_KEY}\r\n`);
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

describe('when all connections are taken', { timeout: 30_000 }, () => {
  it('requests whose bodies do not arrive make room for new clients', async (t) => {
    const { service, open } = await startCrowded(t);
    for (let n = 0; n < CONNECTIONS; n++) await open(HALF_A_BODY, false);
    for (let n = 0; n < 2 * CONNECTIONS; n++) await open(HEALTH, true);
    assert.match((await service.call('GET', '/metrics')).text, /^animal_store_refused_connections_total 0$/m);
  });

  for (const { what, bytes } of [
    { what: 'an API key', bytes: request('GET /v1/pets?limit=1') },
    { what: 'an address without a key', bytes: HEALTH },
  ])
    it(`${what} that holds more than a quarter of them makes room before the longest idle ones do`, async (t) => {
      const { open } = await startCrowded(t);
      const longestIdle = await open(LIST, true);
      for (let n = 0; n < 3 * CONNECTIONS; n++) await open(bytes, true);
      longestIdle.send(LIST);
      assert.equal((await longestIdle.next()).status, 200);
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
    const refused = await open(HEALTH, false);
    assert.deepEqual(await refused.rest().catch(() => []), []);
    await eventually(() => service.log.some((line) => line.refused === 1), 'the log says so');
    release();
    for (const { next } of working) assertError(await next(), 404, 'pet_not_found');
    const { text } = await service.call('GET', '/metrics');
    assert.match(text, /^animal_store_refused_connections_total 1$/m);
  });
});

it('a request that is executed is answered, although new clients need room in the same moment', {
  timeout: 30_000,
}, async (t) => {
  let calls = 0;
  const observe = (store: Store): Store =>
    Object.assign(Object.create(store), {
      getPet(id: bigint) {
        calls++;
        return store.getPet(id);
      },
    });
  const { open } = await startCrowded(t, {}, observe);
  let answers = 0;
  for (let round = 0; round < 20; round++) {
    const clients = await Promise.all(Array.from({ length: CONNECTIONS }, () => open(HEALTH, true)));
    for (const { send } of clients) send(request('GET /v1/pets/1'));
    const newcomers = await Promise.all(Array.from({ length: 10 }, () => open(HEALTH, false)));
    const outcomes = await Promise.allSettled(clients.map(({ next }) => next()));
    answers += outcomes.filter(({ status }) => status === 'fulfilled').length;
    for (const { socket } of [...clients, ...newcomers]) socket.destroy();
  }
  assert.equal(calls, answers);
});

describe('streams of events', { timeout: 30_000 }, () => {
  it('take a quarter of the connections at most: another one is refused, and other requests are not', async (t) => {
    const { service } = await startCrowded(t);
    for (let n = 0; n < CONNECTIONS / 4; n++)
      assert.equal((await openStream(t, service.port)).answer.status, 200);
    const { answer } = await openStream(t, service.port);
    assert.match(
      assertError(answer, 503, 'unavailable'),
      /^The limit of streams of events \(10\) is reached\./,
    );
    assert.equal((await service.call('GET', '/v1/pets')).status, 200);
  });

  it('of a key that opens many at once take no more from other keys than one after the other would', async (t) => {
    const { service } = await startCrowded(t);
    const others = Array.from({ length: CONNECTIONS / 4 }, () => openStream(t, service.port));
    await Promise.all(others);
    const head = `${HOST}Authorization: Bearer ${OTHER_KEY}\r\n`;
    const opened = await Promise.all(
      Array.from({ length: CONNECTIONS / 4 }, () => openStream(t, service.port, { head })),
    );
    assert.equal(opened.filter(({ answer }) => answer.status === 200).length, CONNECTIONS / 8);
  });
});

describe('a body', { timeout: 30_000 }, () => {
  const limits = { bodyGraceMs: 100, bodyBytesPerSecond: 1000, checkMs: 20 };

  it('that arrives too slowly gets 408', async (t) => {
    const { open } = await startCrowded(t, limits);
    const connection = await open(HALF_A_BODY, false);
    const timer = setInterval(() => connection.send(' '), 20);
    t.after(() => clearInterval(timer));
    assertError(await connection.next(), 408, 'request_timeout');
  });

  it('may pause, and arrives in time if its pace is sufficient', async (t) => {
    const { open } = await startCrowded(t, { ...limits, bodyBytesPerSecond: 100 });
    const body = '{"name":"Rex","categoryId":7}'.padEnd(1000);
    const head = `${HOST}${AUTH}Content-Length: ${body.length}\r\n`;
    const connection = await open(request('POST /v1/pets', head, body.slice(0, 900)), false);
    await new Promise((resolve) => setTimeout(resolve, 300));
    connection.send(body.slice(900));
    assert.equal((await connection.next()).status, 201);
  });
});
