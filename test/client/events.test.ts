import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { openStreams } from '../support/events/event-stream.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import { type ServiceOptions, startService } from '../support/service/service.ts';
import { clientOf, failureOf } from './support/client.ts';
import { collectEvents, startLine } from './support/events.ts';
import { errorResponse, startGateway } from './support/gateway.ts';

/** A service, a client of it, and one whose connections can be cut. No keep-alive arrives during a test, unless limits are given. */
async function start(t: TestContext, limits: ServiceOptions['limits'] = { keepAliveMs: 600_000 }) {
  const service = await startService(t, { limits });
  const line = await startLine(t, service.port);
  const direct = clientOf(`${service.origin}/v1`);
  const add = async (name: string) => (await direct.createPet({ name, categoryId: 1 })).id;
  const latestEvent = async () => (await direct.listEvents({ order: 'newest', limit: 1 })).items[0]?.id;
  return { service, line, direct, add, latestEvent, store: clientOf(line.baseUrl) };
}

describe('Events in the client', { concurrency: true }, () => {
  it('arrive as they happen, with exact integers, narrowed to an animal, to types and to keys', async (t) => {
    const { service, direct, latestEvent } = await start(t);
    const rex = await direct.createPet({ name: 'Rex', categoryId: 9007199254740993n });
    const { id: keyId } = await direct.getCurrentKey();
    const query = { after: await latestEvent(), keyId: [keyId, '99'] };
    const ours = collectEvents(t, direct, query);
    const ofRex = collectEvents(t, direct, { after: query.after, petId: rex.id });
    const removals = collectEvents(t, direct, { ...query, type: ['pet.removed', 'pet.restored'] });
    await direct.updatePet(rex.id, { name: 'Max' });
    await service.store.updatePet(rex.id, { name: 'Rocky' });
    await direct.removePet(rex.id);
    await direct.restorePet(rex.id);
    await direct.createPet({ name: 'another', categoryId: 1 });
    const typesOf = (events: readonly { readonly type: string }[]) => events.map(({ type }) => type);
    const [updated, ...others] = ['pet.updated', 'pet.removed', 'pet.restored'];
    await eventuallyEqual(() => typesOf(ours.events), [updated, ...others, 'pet.created']);
    await eventuallyEqual(() => typesOf(ofRex.events), [updated, updated, ...others]);
    await eventuallyEqual(() => typesOf(removals.events), others);
    const [event] = ours.events;
    assert.deepEqual([event?.pet?.categoryId, event?.before], [9007199254740993n, { name: 'Rex' }]);
    assert.equal((await direct.listEvents({ type: 'pet.removed', keyId })).items.length, 1);
    assert.equal((await direct.listEvents({ type: 'pet.removed', keyId: '99' })).items.length, 0);
  });

  for (const [isEmpty, what] of [
    [true, 'an empty store'],
    [false, 'a store with events'],
  ])
    it(`are not missed when the connection is lost before the first one: ${what}`, async (t) => {
      const { service, line, add, store } = await start(t);
      if (!isEmpty) await add('before');
      const { names } = collectEvents(t, store);
      await eventuallyEqual(() => openStreams(service), 1);
      line.interrupt(add('missed').then(() => {}));
      await eventuallyEqual(names, ['missed']);
      await add('next');
      await eventuallyEqual(names, ['missed', 'next']);
    });

  for (const missed of [['missed'], []])
    it(`narrowed to a type, are not missed either: ${missed.length} of the missed is wanted`, async (t) => {
      const { service, line, direct, add } = await start(t);
      const requested: string[] = [];
      const recorded: typeof fetch = (url, init) => {
        requested.push(String(url));
        return fetch(url, init);
      };
      const store = clientOf(line.baseUrl, { fetch: recorded });
      const { names } = collectEvents(t, store, { type: 'pet.removed' });
      await eventuallyEqual(() => openStreams(service), 1);
      const meanwhile = async () => {
        const id = await add('missed');
        if (missed.length > 0) await direct.removePet(id);
      };
      line.interrupt(meanwhile());
      const hasPosition = () => requested.some((url) => url.includes('after='));
      await eventually(hasPosition, 'it continues after an event');
      await direct.removePet(await add('next'));
      await eventuallyEqual(names, [...missed, 'next']);
    });

  it('end with an error when the service refuses them', async (t) => {
    const { service, direct } = await start(t);
    const stranger = clientOf(`${service.origin}/v1`, { apiKey: 'not-a-valid-key' });
    const reports: boolean[] = [];
    const refused = stranger.events({}, { onLiveness: (isAlive) => reports.push(isAlive) }).next();
    assert.equal((await failureOf(refused)).code, 'unauthorized');
    assert.deepEqual(reports, [false]);
    assert.equal((await failureOf(direct.events({ after: 'x' }).next())).code, 'invalid_parameter');
  });
});

describe('The liveness of followed events', { concurrency: true }, () => {
  const recorder = () => {
    const reports: unknown[] = [];
    return { reports, onLiveness: (isAlive: boolean) => void reports.push(isAlive) };
  };

  it('is false after each attempt that fails', async (t) => {
    const { service } = await start(t);
    const unavailable = errorResponse(503, 'unavailable');
    const gateway = await startGateway(t, service.origin, [unavailable, 'lose request', unavailable]);
    const { reports, onLiveness } = recorder();
    const following = clientOf(gateway.baseUrl).events({}, { maxRetries: 2, onLiveness });
    assert.equal((await failureOf(following.next())).code, 'unavailable');
    assert.deepEqual(reports, [false, false, false]);
  });

  it('is false when the loop is left, which closes the connection', async (t) => {
    const { service, add, latestEvent, store } = await start(t);
    await add('first');
    const after = await latestEvent();
    await add('second');
    const { reports, onLiveness } = recorder();
    for await (const _event of store.events({ after }, { onLiveness })) break;
    assert.deepEqual([reports[0], reports.at(-1)], [true, false]);
    assert.deepEqual(
      reports.filter((isAlive) => !isAlive),
      [false],
    );
    await eventuallyEqual(() => openStreams(service), 0);
  });

  it('is not reported once the signal is aborted', async (t) => {
    const { service, store } = await start(t, { keepAliveMs: 50 });
    const controller = new AbortController();
    const { signal } = controller;
    const late: boolean[] = [];
    const onLiveness = (isAlive: boolean) => {
      if (signal.aborted) late.push(isAlive);
    };
    const reading = failureOf(store.events({}, { signal, onLiveness }).next());
    await eventuallyEqual(() => openStreams(service), 1);
    controller.abort();
    assert.equal((await reading).code, 'aborted');
    await eventuallyEqual(() => openStreams(service), 0);
    assert.equal((await failureOf(store.events({}, { signal, onLiveness }).next())).code, 'aborted');
    assert.deepEqual(late, []);
  });
});
