import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openStream } from '../../support/events/event-stream.ts';
import { eventuallyEqual } from '../../support/eventually.ts';
import { startServiceForFile } from '../../support/shared.ts';
import { createPet, idOf, listAll } from './support.ts';

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
});
