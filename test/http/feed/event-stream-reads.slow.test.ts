import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { queryObjects } from 'node:v8';
import { EventStream } from '../../../src/http/feed/feed.ts';
import type { EventQuery } from '../../../src/store/store.ts';
import { followRequest, openStream, openStreams } from '../../support/events/event-stream.ts';
import { eventually, eventuallyEqual } from '../../support/eventually.ts';
import { sum } from '../../support/measure/metrics.ts';
import { startService } from '../../support/service/service.ts';
import { converse } from '../../support/wire/conversation.ts';
import { createMany, createPet, idOf, listAll, withRead } from './support.ts';

/** A service, and the queries with which it has read events so far. */
async function startCounted(t: TestContext) {
  const reads: EventQuery[] = [];
  const service = await startService(t, {
    observe: (store) =>
      withRead(store, (query) => {
        reads.push(query);
        return store.listEvents(query);
      }),
  });
  return { service, reads };
}

describe('What a stream of events reads from the store', () => {
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
    await createMany(service, 500);
    const missed = await listAll(service);
    const { received } = await openStream(t, service.port, { query: `?after=${idOf(missed[0])}` });
    assert.deepEqual(
      (await received(499)).map(({ data }) => data),
      missed.slice(1),
    );
    assert.equal(new Set(ticks.slice(0, 5)).size, 5, 'two pages were read in one tick');
  });

  for (const page of [1, 2])
    it(`leaves nothing behind when its client goes while page ${page} is read for it`, async (t) => {
      const gate = Promise.withResolvers<void>();
      let pages = 0;
      const service = await startService(t, {
        observe: (store) =>
          withRead(store, async (query) => {
            if (++pages === page) await gate.promise;
            return store.listEvents(query);
          }),
      });
      const first = await createPet(service);
      await createMany(service, 150);
      const { events } = await service.store.listEvents({ limit: 1, petId: BigInt(first.id) });
      const connections = async () =>
        sum((await service.call('GET', '/metrics')).text, 'animal_store_connections');
      const others = await connections();
      const { socket, send } = converse(service.port);
      send(followRequest({ query: `?after=${idOf(events[0]?.json)}` }));
      await eventuallyEqual(() => pages, page);
      socket.on('error', () => {}).resetAndDestroy();
      await eventuallyEqual(connections, others);
      gate.resolve();
      await eventuallyEqual(() => queryObjects(EventStream, { format: 'count' }), 0);
      assert.equal(await openStreams(service), 0);
    });

  it('misses nothing that others get while it reads what it has missed', async (t) => {
    let held = Promise.withResolvers<void>();
    let holdNext = false;
    let ofOne = 0;
    const { port, ...delayed } = await startService(t, {
      observe: (store) =>
        withRead(store, async (query) => {
          // Only that of one stream: the one for all streams asks for all animals.
          if (query.petId !== undefined) ofOne++;
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

    // One whose animal is not in what the others got meanwhile is done with reading, too.
    held = Promise.withResolvers();
    holdNext = true;
    const unrelated = openStream(t, port, { query: '?petId=1' });
    await eventuallyEqual(() => holdNext, false);
    await createPet(service, 'third');
    await live.received(3);
    held.resolve();
    await unrelated;
    ofOne = 0;
    await createPet(service, 'fourth');
    await live.received(4);
    assert.ok(ofOne <= 3, `${ofOne} reads`);
  });

  it('is read once for all streams, with a filter or without, and not at all without a stream', async (t) => {
    const { service, reads } = await startCounted(t);
    const one = await startCounted(t);
    await openStream(t, one.service.port);
    const rex = await createPet(service);
    const query = `?petId=${rex.id}&after=${idOf((await listAll(service))[0])}`;
    const streams = [
      await openStream(t, service.port),
      await openStream(t, service.port),
      await openStream(t, service.port, { query }),
    ];
    const hasCaughtUp = () => reads.length > 5 && reads.slice(-5).every(({ petId }) => petId === undefined);
    await eventually(hasCaughtUp, 'the store is asked for the events of all animals only');
    /** How often the store is asked while the other service, which has one stream, asks its own so many times. */
    const readsWhile = async (count: number) => {
      const [before, end] = [reads.length, one.reads.length + count];
      await eventually(() => one.reads.length >= end, 'the other one has asked');
      return reads.length - before;
    };
    const asked = await readsWhile(10);
    assert.ok(asked > 0 && asked <= 15, `${asked} reads instead of about 10`);
    for (const { socket } of streams) socket.resetAndDestroy();
    await eventuallyEqual(() => openStreams(service), 0);
    const afterwards = await readsWhile(5);
    assert.ok(afterwards <= 1, `${afterwards} reads without a stream; one may have been due`);
  });
});
