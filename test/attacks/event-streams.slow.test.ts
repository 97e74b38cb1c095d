import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { limits } from '../../src/contract/limits.ts';
import { createPet } from '../http/feed/support.ts';
import { assertError } from '../support/assert.ts';
import { openStream, openStreams, type RawStream } from '../support/events/event-stream.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import { assertUnharmed, startAttackedService } from '../support/service/attacked-service.ts';
import { call, KEY, type ServiceOptions, startService } from '../support/service/service.ts';
import { AUTH, HOST, request } from '../support/wire/conversation.ts';
import { flood } from '../support/wire/flood.ts';

const MB = 1_000_000;
const FOLLOW = request('GET /v1/events', `${HOST}${AUTH}Accept: text/event-stream\r\n`);
const longNamed = Array.from({ length: 50 }, () => ({ name: 'x'.repeat(1000), categoryId: 7 }));

/** More than the kernel buffers for a client, and less than all of them may leave unread. */
const manyLongNamed = Array(8000).fill({ name: 'x'.repeat(1000), categoryId: 7n, status: 'available' });

/** One key may open half of the streams. */
const KEYS = [KEY, 'another-key-of-the-suite'];
const headOf = (n: number) => `${HOST}Authorization: Bearer ${KEYS[n % 2]}\r\n`;

const isClosed = (stream: RawStream) => eventually(() => stream.isClosed, 'the stream has ended');

describe('streams of events under attack', { timeout: 300_000 }, () => {
  it('is one of 1,000; the next one gets 503', { timeout: 60_000 }, async (t) => {
    const service = await startService(t, { config: { apiKeys: KEYS } });
    const { origin } = service;
    const streams: RawStream[] = [];
    const openOne = (_: unknown, n: number) => openStream(t, service.port, { head: headOf(n) });
    while (streams.length < 1000) streams.push(...(await Promise.all(Array.from({ length: 50 }, openOne))));
    assert.deepEqual(new Set(streams.map(({ answer }) => answer.status)), new Set([200]));
    const { answer } = await openStream(t, service.port);
    assert.match(assertError(answer, 503, 'unavailable'), /streams of events \(1000\) is reached/);
    assert.equal(answer.headers['retry-after'], '1');
    assert.equal((await service.call('GET', '/v1/events')).status, 200);
    await createPet(service);
    await Promise.all(streams.map((stream) => stream.received(1)));
    streams[0]?.socket.destroy();
    await eventually(
      async () => (await openStream(t, service.port)).answer.status === 200,
      'there is room again',
    );
    for (const { socket } of streams) socket.destroy();
    await eventuallyEqual(() => openStreams({ origin }), 1);
  });

  it('ends if the client reads too slowly, which can then resume', async (t) => {
    const service = await startService(t, { limits: { streamBytes: 4096 } });
    const { origin } = service;
    const stream = await openStream(t, service.port);
    const slow = await openStream(t, service.port);
    slow.socket.pause();
    // More than the buffers of the kernel.
    const name = 'x'.repeat(1000);
    const body = { pets: Array.from({ length: 50 }, () => ({ name, categoryId: 7 })) };
    let created = 0;
    while ((await openStreams({ origin })) === 2) {
      assert.ok(created < 100_000, 'the slow reader is still there');
      assert.equal((await service.call('POST', '/v1/pets/batch', { body })).status, 201);
      created += 50;
    }
    const all = await stream.received(created);
    slow.socket.resume();
    await isClosed(slow);
    const seen = slow.frames();
    assert.ok(seen.length < created, `${seen.length} of ${created}`);
    const unread = all.slice(seen.length).reduce((bytes, { data }) => bytes + data.length, 0);
    assert.ok(unread < limits.unreadBytes / 2, 'its own limit, and not that of all connections');
    const after = seen.at(-1)?.id ?? slow.answer.headers['last-event-id'];
    const resumed = await openStream(t, service.port, { query: `?after=${after}` });
    const rest = await resumed.received(created - seen.length);
    assert.deepEqual([...seen, ...rest], all);
    t.diagnostic(`cut after ${seen.length} of ${created} events`);
  });

  /** A service whose streams may leave any number of bytes unread, and one that does. */
  async function startUnread(t: TestContext, limits: ServiceOptions['limits']) {
    const service = await startService(t, { limits: { streamBytes: 2 ** 30, ...limits } });
    const unread = await openStream(t, service.port);
    unread.socket.pause();
    const read = await openStream(t, service.port);
    await service.store.createPets(manyLongNamed);
    return { service, read };
  }

  it('ends if its client reads nothing for too long', async (t) => {
    const { service, read } = await startUnread(t, { responseMs: 500, checkMs: 50 });
    read.socket.destroy();
    await eventuallyEqual(() => openStreams(service), 0);
  });

  it('goes on if its client reads slowly what it has missed', async (t) => {
    const service = await startService(t, { limits: { streamBytes: 4096 } });
    await createPet(service);
    await service.store.createPets(manyLongNamed);
    const [first] = (await service.call('GET', '/v1/events?limit=1')).json as [{ id: string }];
    const query = `?after=${first.id}`;
    const slow = await openStream(t, service.port, { query });
    slow.socket.pause();
    const other = await openStream(t, service.port, { query });
    await other.received(manyLongNamed.length);
    slow.socket.resume();
    await slow.received(manyLongNamed.length);
  });

  it('ends at once on shutdown, although much of it is unread', { timeout: 60_000 }, async (t) => {
    const { service, read } = await startUnread(t, { drainMs: 600_000, responseMs: 600_000 });
    await read.received(manyLongNamed.length);
    await service.drain();
    await isClosed(read);
  });

  it('goes on when the client closes its sending side, and ends when it closes the connection', async (t) => {
    const service = await startService(t, { limits: { keepAliveMs: 600_000 } });
    const { origin } = service;
    const halfClosed = await openStream(t, service.port);
    halfClosed.socket.end();
    const gone = await openStream(t, service.port);
    assert.equal(await openStreams({ origin }), 2);
    gone.socket.destroy();
    await eventuallyEqual(() => openStreams({ origin }), 1);
    await createPet(service);
    await halfClosed.received(1);
    halfClosed.socket.destroy();
    await eventuallyEqual(() => openStreams({ origin }), 0);
  });

  it('are opened and never read: the memory stays bounded, and other clients are served', async (t) => {
    const service = await startAttackedService(t, undefined, { API_KEYS: KEYS.join() });
    const before = service.residentBytes();
    for (const n of [0, 1]) {
      const payload = request('GET /v1/events', `${headOf(n)}Accept: text/event-stream\r\n`);
      await flood(t, { port: service.port, connections: 500, payload, reads: false });
    }
    await eventuallyEqual(() => openStreams(service), 1000);
    let grown = 0;
    for (let n = 0; n < 150; n++) {
      const { status } = await call(service.origin, 'POST', '/v1/pets/batch', { body: { pets: longNamed } });
      assert.equal(status, 201);
      await service.healthMs();
      grown = Math.max(grown, service.residentBytes() - before);
    }
    await assertUnharmed(service);
    assert.ok(grown < 200 * MB, `${Math.round(grown / MB)} MB`);
    t.diagnostic(
      `memory grew by ${Math.round(grown / MB)} MB; ${await openStreams(service)} streams are left`,
    );
  });

  it('are opened and closed all the time: none is left', async (t) => {
    const service = await startAttackedService(t);
    const before = service.residentBytes();
    const cycle = async (n: number) => {
      const socket = connect(service.port, '127.0.0.1').on('error', () => {});
      await once(socket, 'connect');
      socket.write(FOLLOW);
      // Before the answer, while it begins, or with a part of it unread.
      if (n % 3 > 0) await once(socket, n % 3 === 1 ? 'data' : 'readable');
      if (n % 2) socket.resetAndDestroy();
      else socket.destroy();
    };
    const CYCLES = 6000;
    let next = 0;
    const worker = async () => {
      while (next < CYCLES) await cycle(next++);
    };
    await Promise.all(Array.from({ length: 50 }, worker));
    await eventuallyEqual(() => openStreams(service), 0);
    const stream = await openStream(t, service.port);
    await createPet({ call: (...args) => call(service.origin, ...args) });
    await stream.received(1);
    await assertUnharmed(service);
    const grown = service.residentBytes() - before;
    assert.ok(grown < 250 * MB, `${Math.round(grown / MB)} MB`);
    t.diagnostic(`${CYCLES} streams; memory grew by ${Math.round(grown / MB)} MB`);
  });
});
