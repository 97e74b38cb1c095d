import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { AnimalStoreError, type StreamOptions } from '../../src/client/index.ts';
import { openStreams } from '../support/events/event-stream.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import { type ServiceOptions, startService } from '../support/service/service.ts';
import { clientOf, failureOf } from './support/client.ts';
import { collectEvents, startLine } from './support/events.ts';
import { errorResponse, startGateway } from './support/gateway.ts';

/** No keep-alive arrives during a test. */
const QUIET: ServiceOptions = { limits: { keepAliveMs: 600_000 } };

describe('The liveness of followed events', { concurrency: true }, () => {
  async function start(t: TestContext, options: ServiceOptions = {}) {
    const service = await startService(t, options);
    const line = await startLine(t, service.port);
    const direct = clientOf(`${service.origin}/v1`);
    return { service, line, direct, store: clientOf(line.baseUrl) };
  }
  const recorder = () => {
    const reports: unknown[] = [];
    return { reports, onLiveness: (isAlive: boolean) => void reports.push(isAlive) };
  };

  it('is reported with every keep-alive, although no event happens', async (t) => {
    const { store } = await start(t, { limits: { keepAliveMs: 50 } });
    const { reports, onLiveness } = recorder();
    const { events } = collectEvents(t, store, {}, { onLiveness });
    await eventually(() => reports.length >= 5, 'keep-alives arrive');
    assert.deepEqual(new Set(reports), new Set([true]));
    assert.deepEqual(events, []);
  });

  it('is true before the first event of a connection, and false between two connections', async (t) => {
    const { service, line, direct, store } = await start(t, QUIET);
    await direct.createPet({ name: 'first', categoryId: 1 });
    const after = (await direct.listEvents()).items[0]?.id;
    const { reports, onLiveness } = recorder();
    const { names } = collectEvents(t, store, { after }, { onLiveness }, (event) =>
      reports.push(event.pet?.name),
    );
    await eventuallyEqual(() => openStreams(service), 1);
    await direct.createPet({ name: 'second', categoryId: 1 });
    await eventuallyEqual(names, ['second']);
    line.interrupt(direct.createPet({ name: 'third', categoryId: 1 }).then(() => {}));
    await eventuallyEqual(names, ['second', 'third']);
    // Each connection begins with bytes of its own, which may arrive together with the event or before it.
    const changes = reports.filter((report, n) => report !== reports[n - 1] || typeof report === 'string');
    assert.deepEqual(changes, [true, 'second', false, true, 'third']);
  });

  it('is false after each attempt that fails, and when the service refuses the stream', async (t) => {
    const service = await startService(t);
    const unavailable = errorResponse(503, 'unavailable');
    const gateway = await startGateway(t, service.origin, [unavailable, 'lose request', unavailable]);
    const failing = recorder();
    const { code } = await failureOf(
      clientOf(gateway.baseUrl).events({}, { maxRetries: 2, onLiveness: failing.onLiveness }).next(),
    );
    assert.deepEqual([code, failing.reports], ['unavailable', [false, false, false]]);
    const refused = recorder();
    const wrong = clientOf(`${service.origin}/v1`, { apiKey: 'not-a-valid-key' });
    assert.equal(
      (await failureOf(wrong.events({}, { onLiveness: refused.onLiveness }).next())).code,
      'unauthorized',
    );
    assert.deepEqual(refused.reports, [false]);
  });

  it('is false when the loop is left', async (t) => {
    const { direct, store } = await start(t, QUIET);
    await direct.createPet({ name: 'first', categoryId: 1 });
    const after = (await direct.listEvents()).items[0]?.id;
    await direct.createPet({ name: 'second', categoryId: 1 });
    const { reports, onLiveness } = recorder();
    for await (const _event of store.events({ after }, { onLiveness })) break;
    assert.deepEqual([reports[0], reports.at(-1)], [true, false]);
    assert.deepEqual(
      reports.filter((isAlive) => !isAlive),
      [false],
    );
  });

  it('is not reported once the signal is aborted', async (t) => {
    const { service, store } = await start(t, { limits: { keepAliveMs: 50 } });
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
    assert.deepEqual(late, []);
    assert.equal((await failureOf(store.events({}, { signal, onLiveness }).next())).code, 'aborted');
    assert.deepEqual(late, []);
  });

  for (const when of [true, false]) {
    it(`ends the loop with the error that the callback throws for ${when}`, async (t) => {
      const { service, line, direct, store } = await start(t, QUIET);
      await direct.createPet({ name: 'first', categoryId: 1 });
      // One that would be tried again if it came from the connection.
      const thrown = new AnimalStoreError('Mine.', { code: 'network_error' });
      let calls = 0;
      const options: StreamOptions = {
        onLiveness: (isAlive) => {
          if (isAlive !== when) return;
          calls++;
          throw thrown;
        },
      };
      const reading = store.events({}, options).next();
      const failure = failureOf(reading);
      if (!when) {
        await eventuallyEqual(() => openStreams(service), 1);
        line.interrupt(Promise.resolve());
      }
      assert.equal(await failure, thrown);
      assert.equal(calls, 1);
      await eventuallyEqual(() => openStreams(service), 0);
    });
  }
});
