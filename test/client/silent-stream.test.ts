import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { clientOf, failureOf } from './support/client.ts';

// Without a service: these tests replace the timers of the process.
describe('A silent stream', () => {
  const settled = () => new Promise((resolve) => setImmediate(resolve));

  /** Refuses the first connections. It accepts the others, sends one comment, and is silent from then on. */
  const silentAfter = (failures: number, onConnect: () => void): typeof fetch => {
    let connections = 0;
    return async (_url, init) => {
      onConnect();
      if (connections++ < failures) throw new TypeError('refused');
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(Buffer.from(':\n\n'));
          init?.signal?.addEventListener('abort', () => controller.error(init.signal?.reason));
        },
      });
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
    };
  };

  it('is reported as not alive after 45 seconds, before the next attempt', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const log: unknown[] = [];
    const fetch = silentAfter(0, () => log.push('connect'));
    const controller = new AbortController();
    const onLiveness = (isAlive: boolean) => void log.push(isAlive);
    const store = clientOf('http://unused.test/v1', { fetch });
    const reading = failureOf(store.events({}, { signal: controller.signal, onLiveness }).next());
    await settled();
    assert.deepEqual(log, ['connect', true, true]);
    t.mock.timers.tick(44_999);
    await settled();
    assert.deepEqual(log, ['connect', true, true]);
    t.mock.timers.tick(1);
    await settled();
    assert.deepEqual(log.slice(3), [false]);
    t.mock.timers.tick(8_000);
    await settled();
    assert.deepEqual(log.slice(4), ['connect', true, true]);
    controller.abort();
    assert.equal((await reading).code, 'aborted');
    assert.equal(log.length, 7);
  });

  it('that lasted for a while makes earlier failures count no longer', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    let now = performance.now();
    t.mock.method(performance, 'now', () => now);
    const pass = async (ms: number) => {
      now += ms;
      t.mock.timers.tick(ms);
      await settled();
    };
    let connections = 0;
    const fetch = silentAfter(1, () => connections++);
    const controller = new AbortController();
    const options = { signal: controller.signal, maxRetries: 1 };
    const reading = failureOf(clientOf('http://unused.test/v1', { fetch }).events({}, options).next());
    await settled();
    await pass(8_000);
    assert.equal(connections, 2);
    await pass(45_000);
    await pass(8_000);
    assert.equal(connections, 3);
    controller.abort();
    assert.equal((await reading).code, 'aborted');
  });
});
