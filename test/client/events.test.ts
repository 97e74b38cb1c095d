import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EventQuery } from '../../src/client/index.ts';
import { openStreams } from '../support/events/event-stream.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import { startService } from '../support/service/service.ts';
import { clientOf, failureOf } from './support/client.ts';
import { collectEvents, startLine } from './support/events.ts';

describe('Events in the client', () => {
  it('arrive as they happen, with exact integers', async (t) => {
    const { origin } = await startService(t);
    const store = clientOf(`${origin}/v1`);
    const first = await store.createPet({ name: 'Rex', categoryId: 9007199254740993n });
    const later = collectEvents(t, store, { petId: first.id });
    await eventuallyEqual(async () => {
      await store.updatePet(first.id, { name: `Max ${later.events.length}` });
      return later.events.length > 0;
    }, true);
    const [event] = later.events;
    assert.deepEqual(
      [event?.type, event?.pet?.categoryId, event?.before],
      ['pet.updated', 9007199254740993n, { name: 'Rex' }],
    );
  });

  for (const store of ['an empty store', 'a store with events']) {
    it(`are not missed when the connection is lost before the first one: ${store}`, async (t) => {
      const service = await startService(t);
      const direct = clientOf(`${service.origin}/v1`);
      if (store !== 'an empty store') await direct.createPet({ name: 'before', categoryId: 1 });
      const line = await startLine(t, service.port);
      const { names } = collectEvents(t, clientOf(line.baseUrl));
      await eventuallyEqual(() => openStreams(service), 1);
      line.interrupt(direct.createPet({ name: 'missed', categoryId: 1 }).then(() => {}));
      await eventuallyEqual(names, ['missed']);
      await direct.createPet({ name: 'next', categoryId: 1 });
      await eventuallyEqual(names, ['missed', 'next']);
    });
  }

  it('can be narrowed to types and keys', async (t) => {
    const { origin, store: stored } = await startService(t);
    const store = clientOf(`${origin}/v1`);
    const { id: keyId } = await store.getCurrentKey();
    const rex = await store.createPet({ name: 'Rex', categoryId: 1 });
    const query = { after: (await store.listEvents()).items[0]?.id, keyId: [keyId, '99'] };
    const ours = collectEvents(t, store, query);
    const removals = collectEvents(t, store, { ...query, type: ['pet.removed', 'pet.restored'] });
    await store.updatePet(rex.id, { name: 'Max' });
    await stored.updatePet(rex.id, { name: 'Rocky' });
    await store.removePet(rex.id);
    await store.restorePet(rex.id);
    await eventuallyEqual(
      () => ours.events.map(({ type }) => type),
      ['pet.updated', 'pet.removed', 'pet.restored'],
    );
    await eventuallyEqual(() => removals.events.map(({ type }) => type), ['pet.removed', 'pet.restored']);
    const typesOf = async (query: EventQuery) =>
      (await store.listEvents(query)).items.map(({ type }) => type);
    assert.deepEqual(await typesOf({ type: 'pet.removed', keyId }), ['pet.removed']);
    assert.deepEqual(await typesOf({ type: 'pet.removed', keyId: '99' }), []);
    assert.equal((await failureOf(store.listEvents({ type: [] }))).code, 'invalid_argument');
  });

  for (const isWanted of [true, false]) {
    it(`narrowed to a type, are not missed either: ${isWanted ? 'one' : 'none'} of the missed is wanted`, async (t) => {
      const service = await startService(t);
      const direct = clientOf(`${service.origin}/v1`);
      const line = await startLine(t, service.port);
      const requested: string[] = [];
      const recorded: typeof fetch = (url, init) => {
        requested.push(String(url));
        return fetch(url, init);
      };
      const { names } = collectEvents(t, clientOf(line.baseUrl, { fetch: recorded }), {
        type: 'pet.removed',
      });
      await eventuallyEqual(() => openStreams(service), 1);
      const add = async (name: string) => (await direct.createPet({ name, categoryId: 1 })).id;
      const meanwhile = async () => {
        const id = await add('missed');
        if (isWanted) await direct.removePet(id);
      };
      line.interrupt(meanwhile());
      const missed = isWanted ? ['missed'] : [];
      const hasPosition = () => requested.some((url) => url.includes('after='));
      await eventually(hasPosition, 'it continues after an event');
      assert.deepEqual(names(), missed);
      await direct.removePet(await add('next'));
      await eventuallyEqual(names, [...missed, 'next']);
    });
  }

  it('end with an error when the service refuses them', async (t) => {
    const { origin } = await startService(t);
    const next = (options: object, query: object) => clientOf(`${origin}/v1`, options).events(query).next();
    assert.equal((await failureOf(next({ apiKey: 'not-a-valid-key' }, {}))).code, 'unauthorized');
    assert.equal((await failureOf(next({}, { after: 'x' }))).code, 'invalid_parameter');
    assert.equal((await failureOf(next({}, { petId: 1.5 }))).code, 'invalid_argument');
  });

  it('stop when the signal is aborted, or the loop is left', async (t) => {
    const service = await startService(t);
    const store = clientOf(`${service.origin}/v1`);
    const open = () => openStreams(service);
    const { controller, loop } = collectEvents(t, store);
    await eventuallyEqual(open, 1);
    controller.abort('enough');
    const error = await failureOf(loop);
    assert.deepEqual([error.code, error.cause], ['aborted', 'enough']);
    await eventuallyEqual(open, 0);
    await store.createPet({ name: 'Rex', categoryId: 1 });
    const after = (await store.listEvents({ limit: 1 })).items[0]?.id;
    await store.createPet({ name: 'Max', categoryId: 1 });
    for await (const { pet } of store.events({ after })) {
      assert.equal(pet?.name, 'Max');
      break;
    }
    await eventuallyEqual(open, 0);
  });
});
