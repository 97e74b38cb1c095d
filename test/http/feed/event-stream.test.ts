import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventId } from '../../../src/contract/event-id.ts';
import { assertError } from '../../support/assert.ts';
import { openStream } from '../../support/events/event-stream.ts';
import { eventually, eventuallyEqual } from '../../support/eventually.ts';
import { KEY } from '../../support/service/service.ts';
import { startServiceForFile } from '../../support/shared.ts';
import { AUTH, HOST, request } from '../../support/wire/conversation.ts';
import { createPet, idOf, listAll } from './support.ts';

const service = await startServiceForFile();
const { call, port } = service;

const ACCEPT = 'Accept: text/event-stream\r\n';

describe('GET /events as text/event-stream', () => {
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
});

describe('A request for a stream of events', () => {
  it('refuses what it cannot follow before the stream begins', async (t) => {
    const unknown = eventId({ id: 10n ** 15n, at: new Date() });
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

  it('answers HEAD without a body, and ends', async (t) => {
    const bytes = request('HEAD /v1/events', `${HOST}${AUTH}${ACCEPT}`);
    const get = await openStream(t, port);
    const head = await openStream(t, port, { bytes });
    assert.equal(head.answer.status, 200);
    assert.equal(head.answer.headers['content-type'], 'text/event-stream');
    await createPet(service);
    await get.received(1);
    assert.equal(head.text(), '');
    await eventually(() => head.isClosed, 'its connection ends');
  });

  it('works for HTTP/1.0', async (t) => {
    const bytes = `GET /v1/events HTTP/1.0\r\n${AUTH}${ACCEPT}\r\n`;
    const { answer, received } = await openStream(t, port, { bytes });
    assert.equal(answer.headers['transfer-encoding'], undefined);
    const { text } = await createPet(service);
    const [frame] = await received(1);
    assert.ok(frame?.data.includes(text), text);
  });
});
