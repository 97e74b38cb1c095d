import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startServiceForFile } from '../support/shared.ts';
import { clientOf, failureOf } from './support/client.ts';
import { errorResponse, type Fate, type Gateway, startGateway } from './support/gateway.ts';
import { METHODS } from './support/methods.ts';

/** A pause that only an abort or a time-out can end during a test. */
const comeBackLater = errorResponse(503, 'unavailable', { 'retry-after': '50' });

const { listPets, pets, createPet, getPet, listOrders, orders, createOrder, updateOrder, getInventory } =
  METHODS;

/** Of every kind one at least: they take a while. */
const methods = {
  listPets,
  pets,
  createPet,
  getPet,
  listOrders,
  orders,
  createOrder,
  updateOrder,
  getInventory,
};

describe('A call of the client', async () => {
  const service = await startServiceForFile();
  const through = async (t: TestContext, fates: readonly Fate[]) => {
    const gateway = await startGateway(t, service.origin, fates);
    return { gateway, store: clientOf(gateway.baseUrl) };
  };
  const seen = async ({ requests }: Gateway, count: number) => {
    while (requests.length < count) await sleep(5);
  };

  for (const [name, method] of Object.entries(methods)) {
    it(`${name} can be aborted before, during a request, and during a pause`, async (t) => {
      const reason = new Error('changed my mind');
      for (const [fate, aborted] of [
        ['hang', 'during'],
        [comeBackLater, 'during'],
        ['hang', 'before'],
      ] as const) {
        const { gateway, store } = await through(t, [fate]);
        const controller = new AbortController();
        if (aborted === 'before') controller.abort(reason);
        const failure = failureOf(method(store, { signal: controller.signal }));
        if (aborted === 'during') {
          await seen(gateway, 1);
          // The pause begins once the response has arrived.
          await sleep(50);
          controller.abort(reason);
        }
        const { code, status, cause } = await failure;
        assert.deepEqual([code, status], ['aborted', 0]);
        assert.equal(cause, reason);
        assert.equal(gateway.requests.length, aborted === 'during' ? 1 : 0);
        assert.deepEqual(getEventListeners(controller.signal, 'abort'), [], 'no listener is left');
      }
    });

    it(`${name} ends after its timeoutMs`, async (t) => {
      const { store } = await through(t, ['hang']);
      const { code, status, requestId } = await failureOf(method(store, { timeoutMs: 100 }));
      assert.deepEqual([code, status], ['timeout', 0]);
      assert.match(requestId ?? '', /^[\da-f]{32}$/);
    });
  }

  it('counts the retries toward its time-out, and names the last failure', async (t) => {
    const { gateway } = await through(t, ['hang']);
    const answers = [Response.json({ code: 'unavailable', message: 'Busy.' }, { status: 503 })];
    const store = clientOf(gateway.baseUrl, { fetch: async (...args) => answers.pop() ?? fetch(...args) });
    const { code, cause } = await failureOf(store.listPets({}, { timeoutMs: 1_000 }));
    assert.equal(code, 'timeout');
    assert.equal((cause as { code?: string }).code, 'unavailable');
  });

  it('takes the time-out of the client when it has none of its own', async (t) => {
    const { gateway } = await through(t, ['hang', 'hang']);
    assert.equal(
      (await failureOf(clientOf(gateway.baseUrl, { timeoutMs: 100 }).getInventory())).code,
      'timeout',
    );
    for (const timeoutMs of [0, -1, Number.NaN, 2 ** 31]) {
      for (const [name, method] of Object.entries(METHODS)) {
        const { code } = await failureOf(method(clientOf(gateway.baseUrl), { timeoutMs }));
        assert.deepEqual([name, code], [name, 'invalid_argument']);
      }
    }
  });

  it('can be aborted while the body arrives', async (t) => {
    const unfinished = { status: 200, headers: { 'content-length': '100' }, body: '[{"id":1' };
    const { store } = await through(t, [unfinished, unfinished]);
    assert.equal((await failureOf(store.listPets({}, { timeoutMs: 200 }))).code, 'timeout');
    const controller = new AbortController();
    const { signal } = controller;
    const receiving: typeof fetch = async (...args) => {
      const response = await fetch(...args);
      // The headers have arrived, and the client reads the body.
      setImmediate(() => controller.abort());
      return response;
    };
    const { gateway } = await through(t, [unfinished]);
    const reading = clientOf(gateway.baseUrl, { fetch: receiving }).listPets({}, { signal });
    assert.equal((await failureOf(reading)).code, 'aborted');
  });

  it('can be aborted between two pages', async () => {
    const store = clientOf(`${service.origin}/v1`);
    for (let n = 0; n < 3; n++) await store.createPet({ name: 'Rex', categoryId: n });
    const controller = new AbortController();
    const walk = async () => {
      for await (const _pet of store.pets({ limit: 1 }, { signal: controller.signal })) controller.abort();
    };
    const { code, cause } = await failureOf(walk());
    assert.equal(code, 'aborted');
    assert.equal((cause as Error).name, 'AbortError');
  });

  it('leaves no listener and no timer when it succeeds', async () => {
    const store = clientOf(`${service.origin}/v1`);
    const { signal } = new AbortController();
    const timers = () => process.getActiveResourcesInfo().filter((type) => type === 'Timeout').length;
    await store.listPets();
    const before = timers();
    for (let n = 0; n < 20; n++) await store.listPets({}, { signal });
    assert.deepEqual(getEventListeners(signal, 'abort'), []);
    assert.ok(timers() <= before + 5, `${timers() - before} timers are left after 20 calls`);
  });
});
