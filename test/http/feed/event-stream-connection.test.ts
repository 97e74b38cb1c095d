import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { digestOf, generateKey } from '../../../src/keys/format.ts';
import { assertError } from '../../support/assert.ts';
import { followRequest, openStream, openStreams, type RawStream } from '../../support/events/event-stream.ts';
import { eventually, eventuallyEqual } from '../../support/eventually.ts';
import { sum } from '../../support/measure/metrics.ts';
import { type Service, type ServiceOptions, startService } from '../../support/service/service.ts';
import { AUTH, converse, HOST, request } from '../../support/wire/conversation.ts';
import { createPet, withRead } from './support.ts';

const metric = async ({ call }: Service, name: string, ...labels: string[]): Promise<number> =>
  sum((await call('GET', '/metrics')).text, name, ...labels);

/** A service with one open stream that has received an event. */
async function start(
  t: TestContext,
  options?: ServiceOptions,
): Promise<{ service: Service; stream: RawStream }> {
  const service = await startService(t, options);
  const stream = await openStream(t, service.port);
  await createPet(service);
  await stream.received(1);
  return { service, stream };
}

const isClosed = (stream: RawStream) => eventually(() => stream.isClosed, 'the stream has ended');

describe('The connection of a stream of events', { concurrency: true }, () => {
  it('is counted while it is open, and logged with its duration when it ends', async (t) => {
    const { service, stream } = await start(t);
    const { log } = service;
    const lines = () => log.filter(({ operation }) => operation === 'listEvents');
    assert.equal(await openStreams(service), 1);
    const labels = ['http_route="/v1/events"', 'http_response_status_code="200"'];
    const count = () => metric(service, 'http_server_request_duration_seconds_count', ...labels);
    assert.equal(await count(), 1);
    assert.equal(await metric(service, 'http_server_active_requests'), 1, 'the scrape itself');
    const openMs = 700;
    await sleep(openMs);
    assert.deepEqual(lines(), []);
    stream.socket.destroy();
    await eventuallyEqual(() => openStreams(service), 0);
    const [line, ...more] = lines();
    assert.deepEqual(more, []);
    assert.equal(line?.status, 200);
    assert.equal(line?.requestId, stream.answer.headers['x-request-id']);
    assert.ok(Number(line?.ms) > openMs, `${line?.ms} ms`);
    assert.equal(await count(), 1);
    // The duration of the request is the time to its first byte.
    const seconds = await metric(service, 'http_server_request_duration_seconds_sum', ...labels);
    assert.ok(seconds * 1000 <= Number(line?.ms) - openMs + 5, `${seconds} s of ${line?.ms} ms`);
  });

  it('gets a comment when nothing happens', async (t) => {
    const { stream } = await start(t, { limits: { keepAliveMs: 100 } });
    const begin = stream.text().length;
    await eventually(() => stream.text().slice(begin).includes(':\n\n:\n\n'), 'two comments have come');
  });

  for (const [what, end] of Object.entries({
    'is revoked': async ({ store }: Service, id: string) => {
      await store.revokeKey(id);
    },
    expires: async ({ store }: Service, id: string) => {
      await store.rotateKey(id, { digest: digestOf(generateKey()), overlapMs: 1 });
    },
  })) {
    it(`ends within a second when its key ${what}, and no other stream does`, async (t) => {
      const { service, stream: other } = await start(t);
      const key = generateKey();
      const { id } = await service.store.createKey({
        name: 'display',
        digest: digestOf(key),
        scopes: ['events:read'],
      });
      const head = `${HOST}Authorization: Bearer ${key}\r\n`;
      let stream = await openStream(t, service.port, { head });
      await eventually(async () => {
        stream = await openStream(t, service.port, { head });
        return stream.answer.status === 200;
      }, 'the key is known');
      await createPet(service);
      await stream.received(1);
      await end(service, id);
      await isClosed(stream);
      assert.equal(other.isClosed, false);
      assertError((await openStream(t, service.port, { head })).answer, 401, 'unauthorized');
    });
  }

  it('answers no request that comes after it, and ends if one does', async (t) => {
    const { service, stream } = await start(t);
    stream.socket.write(
      request('POST /v1/pets', `${HOST}${AUTH}Content-Length: 29\r\n`, '{"name":"Tom","categoryId":7}'),
    );
    await isClosed(stream);
    const { text } = await service.call('GET', '/v1/pets');
    assert.doesNotMatch(text, /Tom/);
    await eventuallyEqual(() => openStreams(service), 0);
  });

  it('answers no request that was sent together with it, and ends when the client leaves', async (t) => {
    const service = await startService(t, {
      limits: { keepAliveMs: 600_000 },
      // Long enough for the connection to be paused, because of the second request.
      observe: (store) => withRead(store, (query) => sleep(20).then(() => store.listEvents(query))),
    });
    const stream = await openStream(t, service.port, {
      headers: `\r\n${request('GET /v1/pets').slice(0, -2)}`,
    });
    await createPet(service);
    await stream.received(1);
    assert.doesNotMatch(stream.text(), /HTTP\/1\.1/);
    stream.socket.resetAndDestroy();
    await eventuallyEqual(() => openStreams(service), 0);
  });

  it('ends if the client sends anything that is no request', async (t) => {
    const { service, stream } = await start(t);
    stream.socket.write('hello\r\n\r\n');
    await isClosed(stream);
    assert.doesNotMatch(stream.text(), /HTTP\/1\.1/);
    await eventuallyEqual(() => openStreams(service), 0);
  });

  it('ends at once if anything that is no request was sent together with it', async (t) => {
    const limits = { keepAliveMs: 600_000, headersMs: 600_000, requestMs: 600_000 };
    const service = await startService(t, { limits });
    const { send, rest } = converse(service.port);
    send(`${followRequest()}hello\r\n\r\n`);
    await rest().catch(() => []);
    await eventuallyEqual(() => openStreams(service), 0);
  });

  it('goes on after empty lines, which old clients send after a request', async (t) => {
    const { service, stream } = await start(t);
    stream.socket.write('\r\n\r\n');
    await createPet(service);
    await stream.received(2);
  });
});
