import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTick, setTimeout as sleep } from 'node:timers/promises';
import { queryObjects } from 'node:v8';
import type { EventPosition } from '../../../src/contract/event-id.ts';
import { eventId } from '../../../src/contract/event-id.ts';
import { EventStream } from '../../../src/http/feed/event-stream.ts';
import type { Store } from '../../../src/store/store.ts';
import { assertError } from '../../support/assert.ts';
import { framesOf, openStream } from '../../support/events/event-stream.ts';
import { eventuallyEqual } from '../../support/eventually.ts';
import { sum } from '../../support/measure/metrics.ts';
import { KEY, type Service, startService } from '../../support/service/service.ts';
import { startServiceForFile } from '../../support/shared.ts';
import { converse, HOST, request } from '../../support/wire/conversation.ts';

interface ListedEvent {
  readonly id: string;
  readonly type: string;
}

const createPet = async ({ call }: Service, name = 'Rex'): Promise<{ id: number; text: string }> => {
  const { text, status } = await call('POST', '/v1/pets', { body: { name, categoryId: 7 } });
  assert.equal(status, 201);
  return { id: JSON.parse(text).id, text };
};

async function createMany({ call }: Service, count: number): Promise<void> {
  for (let left = count; left > 0; left -= 50) {
    const pets = Array.from({ length: Math.min(left, 50) }, () => ({ name: 'Rex', categoryId: 7 }));
    assert.equal((await call('POST', '/v1/pets/batch', { body: { pets } })).status, 201);
  }
}

const STREAMS = 'animal_store_event_streams';

/** Every event, read in pages. */
async function listAll({ store }: Service, petId?: bigint): Promise<string[]> {
  const all: string[] = [];
  for (let after: EventPosition | undefined, isDone = false; !isDone; isDone = !after) {
    const page = await store.listEvents({ limit: 100, after, petId });
    all.push(...page.events.map(({ json }) => json));
    after = page.next;
  }
  return all;
}

/** The store with another way to read its events. */
const withRead = (store: Store, listEvents: Store['listEvents']): Store =>
  Object.create(store, { listEvents: { value: listEvents } });

const idOf = (json: string | undefined): string => (JSON.parse(json ?? '') as ListedEvent).id;

describe('GET /events as text/event-stream', async () => {
  const service = await startServiceForFile();
  const { call, port } = service;

  it('sends each event as it happens, from now on', async (t) => {
    await createPet(service, 'before');
    const latest = (await listAll(service)).at(-1);
    const { answer, received } = await openStream(t, port);
    const { date, 'x-request-id': requestId, ...headers } = answer.headers;
    assert.deepEqual(
      [answer.status, headers],
      [
        200,
        {
          'content-type': 'text/event-stream',
          'cache-control': 'no-store',
          'x-accel-buffering': 'no',
          vary: 'Accept',
          'last-event-id': idOf(latest),
          connection: 'close',
        },
      ],
    );
    const pet = await createPet(service, 'Rëx "the dog" 🐕');
    const { text } = await call('PATCH', `/v1/pets/${pet.id}`, { body: { name: 'Max' } });
    const [created, updated, ...more] = await received(2);
    assert.deepEqual(more, []);
    assert.deepEqual([created?.event, updated?.event], ['pet.created', 'pet.updated']);
    assert.ok(created?.data.includes(`"pet":${pet.text}`));
    assert.ok(updated?.data.includes(`"pet":${text}`));
    assert.deepEqual([created?.id, updated?.id], [idOf(created?.data), idOf(updated?.data)]);
  });

  it('begins after the event that `after` or Last-Event-ID names, of which the header wins', async (t) => {
    for (let n = 0; n < 5; n++) await createPet(service);
    const all = await listAll(service);
    const [early, late] = [idOf(all.at(-4)), idOf(all.at(-2))];
    const streams = [
      { query: `?after=${early}`, expected: all.slice(-3) },
      { headers: `Last-Event-ID: ${early}\r\n`, expected: all.slice(-3) },
      { query: `?after=${early}`, headers: `last-event-id: ${late}\r\n`, expected: all.slice(-1) },
    ];
    for (const { expected, ...options } of streams) {
      const { received } = await openStream(t, port, options);
      const frames = await received(expected.length);
      assert.deepEqual(
        frames.map(({ data }) => data),
        expected,
      );
    }
  });

  it('sends the events of one animal and of its orders', async (t) => {
    const [rex, max] = [await createPet(service, 'Rex'), await createPet(service, 'Max')];
    const { answer, received, frames } = await openStream(t, port, { query: `?petId=${rex.id}` });
    await call('POST', '/v1/store/orders', { body: { petId: max.id } });
    await call('POST', '/v1/store/orders', { body: { petId: rex.id } });
    await call('PATCH', `/v1/pets/${max.id}`, { body: { name: 'Moritz' } });
    await call('PATCH', `/v1/pets/${rex.id}`, { body: { name: 'Rexona' } });
    await received(2);
    assert.deepEqual(
      frames().map(({ event }) => event),
      ['order.placed', 'pet.updated'],
    );
    // From the event before its creation on, and from the position at which the first stream began.
    const history = await listAll(service, BigInt(rex.id));
    const before = idOf((await listAll(service)).at(-7));
    const whole = await openStream(t, port, { query: `?petId=${rex.id}&after=${before}` });
    assert.deepEqual(
      (await whole.received(3)).map(({ data }) => data),
      history,
    );
    const again = await openStream(t, port, {
      query: `?petId=${rex.id}&after=${answer.headers['last-event-id']}`,
    });
    assert.deepEqual(await again.received(2), frames());
  });

  it('misses and repeats nothing, wherever it begins while others write', async (t) => {
    const [first, ...others] = await Promise.all(Array.from({ length: 4 }, () => createPet(service)));
    const streams: Awaited<ReturnType<typeof openStream>>[] = [];
    let written = 0;
    const write = async () => {
      for (; written < 200; written++)
        await call('PATCH', `/v1/pets/${(written % 2 ? first : others[0])?.id}`, {
          body: { name: `Pet ${written}` },
        });
    };
    const follow = async () => {
      for (let n = 0; n < 12; n++) {
        const all = await listAll(service);
        const after = n % 4 === 0 ? undefined : idOf(all[Math.floor((all.length - 1) * Math.random())]);
        const filter = n % 3 === 0 ? `&petId=${first?.id}` : '';
        const query = `?${after === undefined ? '' : `after=${after}`}${filter}`;
        streams.push(await openStream(t, port, { query }));
      }
    };
    await Promise.all([write(), write(), write(), follow()]);
    const expected = await listAll(service);
    const ofFirst = await listAll(service, BigInt(first?.id ?? 0));
    for (const [n, { answer, frames }] of streams.entries()) {
      const after = expected.findIndex((json) => idOf(json) === answer.headers['last-event-id']);
      assert.ok(after >= 0);
      const wanted = expected.slice(after + 1).filter((json) => n % 3 !== 0 || ofFirst.includes(json));
      await eventuallyEqual(() => frames().map(({ data }) => data), wanted);
    }
  });

  it('sends what a client has missed, in pages between which others get their turn', async (t) => {
    let tick = 0;
    const ticks: number[] = [];
    const count = () => {
      tick++;
      counting = setImmediate(count);
    };
    let counting = setImmediate(count);
    t.after(() => clearImmediate(counting));
    const service = await startService(t, {
      observe: (store) =>
        withRead(store, (query) => {
          ticks.push(tick);
          return store.listEvents(query);
        }),
    });
    const pets = Array.from({ length: 100 }, (_, n) => ({ name: `Pet ${n}`, categoryId: 7 }));
    for (let n = 0; n < 5; n++) await service.call('POST', '/v1/pets/batch', { body: { pets } });
    const missed = await listAll(service);
    const { received } = await openStream(t, service.port, { query: `?after=${idOf(missed[0])}` });
    assert.deepEqual(
      (await received(499)).map(({ data }) => data),
      missed.slice(1),
    );
    assert.equal(new Set(ticks.slice(0, 5)).size, 5, 'two pages were read in one tick');
  });

  it('leaves nothing behind when its client goes while a page is read for it', async (t) => {
    const gate = Promise.withResolvers<void>();
    let pages = 0;
    const service = await startService(t, {
      observe: (store) =>
        withRead(store, async (query) => {
          if (++pages === 2) await gate.promise;
          return store.listEvents(query);
        }),
    });
    const first = await createPet(service);
    await createMany(service, 150);
    const { events } = await service.store.listEvents({ limit: 1, petId: BigInt(first.id) });
    const query = `?after=${idOf(events[0]?.json)}`;
    const stream = await openStream(t, service.port, { query });
    await eventuallyEqual(() => pages, 2);
    stream.socket.resetAndDestroy();
    await eventuallyEqual(async () => sum((await service.call('GET', '/metrics')).text, STREAMS), 0);
    gate.resolve();
    await eventuallyEqual(() => queryObjects(EventStream, { format: 'count' }), 0);
  });

  it('waits for others that catch up, so that all of them together do not delay other requests', async (t) => {
    let [reading, most] = [0, 0];
    const service = await startService(t, {
      observe: (store) =>
        withRead(store, async (query) => {
          most = Math.max(most, ++reading);
          await nextTick();
          return store.listEvents(query).finally(() => reading--);
        }),
    });
    await createPet(service);
    await createMany(service, 150);
    const { events } = await service.store.listEvents({ limit: 1 });
    const query = `?after=${idOf(events[0]?.json)}`;
    const streams = await Promise.all(
      Array.from({ length: 20 }, () => openStream(t, service.port, { query })),
    );
    const seen = await Promise.all(streams.map((stream) => stream.received(150)));
    assert.deepEqual(new Set(seen.map((frames) => frames.length)), new Set([150]));
    // Two, and one that reads what is new for those that have caught up.
    assert.ok(most <= 3, `${most} at once`);
  });

  it('misses nothing that others get while it reads what it has missed', async (t) => {
    const held = Promise.withResolvers<void>();
    let holdNext = false;
    const { port, ...delayed } = await startService(t, {
      observe: (store) =>
        withRead(store, async (query) => {
          // Only that of one stream: the one for all streams asks for all animals.
          const isHeld = holdNext && query.petId !== undefined;
          if (isHeld) holdNext = false;
          const page = await store.listEvents(query);
          if (isHeld) await held.promise;
          return page;
        }),
    });
    const service = { port, ...delayed };
    const live = await openStream(t, port);
    await createPet(service, 'first');
    await live.received(1);
    holdNext = true;
    const opening = openStream(t, port, { query: '?petId=2' });
    await eventuallyEqual(() => holdNext, false);
    await createPet(service, 'second');
    const [, second] = await live.received(2);
    held.resolve();
    const late = await opening;
    assert.deepEqual(await late.received(1), [second]);
  });

  it('asks the store as rarely for one animal as for all, and for nothing without a stream', async (t) => {
    let reads = 0;
    const service = await startService(t, {
      observe: (store) =>
        withRead(store, (query) => {
          reads++;
          return store.listEvents(query);
        }),
    });
    const rex = await createPet(service);
    const [created] = await listAll(service);
    const live = await openStream(t, service.port);
    await createPet(service, 'Max');
    await live.received(1);
    const query = `?petId=${rex.id}&after=${idOf(created)}`;
    const stream = await openStream(t, service.port, { query });
    reads = 0;
    const begin = performance.now();
    await sleep(1000);
    const ms = performance.now() - begin;
    assert.ok(reads <= 2 + ms / 100, `${reads} reads in ${ms} ms`);
    for (const { socket } of [live, stream]) socket.resetAndDestroy();
    await eventuallyEqual(async () => {
      reads = 0;
      await sleep(300);
      return reads;
    }, 0);
  });

  it('refuses what it cannot follow before the stream begins', async (t) => {
    const unknown = eventId({ transaction: 0n, id: 10n ** 15n, at: new Date() });
    const open = async (query: string, headers = '') =>
      (await openStream(t, port, { query, headers })).answer;
    assertError(await open(`?after=${unknown}`), 410, 'cursor_expired');
    assertError(await open('', `Last-Event-ID: ${unknown}\r\n`), 410, 'cursor_expired');
    assert.match(assertError(await open('?after=1'), 400, 'invalid_parameter'), /^after /);
    assert.match(
      assertError(await open('', 'Last-Event-ID: 1\r\n'), 400, 'invalid_parameter'),
      /^Last-Event-ID /,
    );
    assertError(await open('?petId=rex'), 400, 'invalid_parameter');
    const { answer } = await openStream(t, port, { head: HOST });
    assertError(answer, 401, 'unauthorized');
  });

  it('is what a client gets that names the type and does not prefer JSON', async (t) => {
    const isStream = async (accept: string) => {
      const controller = new AbortController();
      const response = await fetch(`${service.origin}/v1/events`, {
        headers: { accept, authorization: `Bearer ${KEY}` },
        signal: controller.signal,
      });
      controller.abort();
      assert.equal(response.headers.get('vary'), 'Accept');
      return response.headers.get('content-type') === 'text/event-stream';
    };
    const expected: Record<string, boolean> = {
      'text/event-stream': true,
      'TEXT/Event-Stream ; charset=utf-8': true,
      'text/event-stream, */*': true,
      'text/html;q=0.9, text/event-stream;q=0.5': true,
      'application/json;q=0.5, text/event-stream;q=0.6': true,
      'application/json, text/event-stream': false,
      'application/json;q=0.7, text/event-stream;q=0.6': false,
      'text/event-stream;q=0.5, */*': false,
      'text/event-stream;q=0': false,
      'text/event-stream;q=0, application/json;q=0': false,
      '*/*': false,
      'text/*': false,
      'text/html': false,
    };
    for (const [accept, stream] of Object.entries(expected))
      assert.equal(await isStream(accept), stream, accept);
    t.diagnostic(`${Object.keys(expected).length} headers`);
  });

  it('answers HEAD without a body', async () => {
    const { send, socket } = converse(port);
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    send(request('HEAD /v1/events', `${HOST}Authorization: Bearer ${KEY}\r\nAccept: text/event-stream\r\n`));
    await eventuallyEqual(() => /^HTTP\/1\.1 200 .*\r\n\r\n$/s.test(text), true);
    assert.match(text, /content-type: text\/event-stream\r\n/i);
    socket.destroy();
  });

  it('works for HTTP/1.0', async (t) => {
    const { socket } = converse(port);
    t.after(() => socket.destroy());
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    socket.write(
      `GET /v1/events HTTP/1.0\r\nAuthorization: Bearer ${KEY}\r\nAccept: text/event-stream\r\n\r\n`,
    );
    await eventuallyEqual(() => text.includes('\r\n\r\nretry: '), true);
    const { text: pet } = await createPet(service);
    const frames = () => framesOf(text.slice(text.indexOf('\r\n\r\n') + 4));
    await eventuallyEqual(() => frames().some(({ data }) => data.includes(pet)), true);
    assert.doesNotMatch(text, /transfer-encoding/i);
  });
});
