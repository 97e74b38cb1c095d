import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { AnimalStore, AnimalStoreError, AnimalStoreOptions } from '../../src/client/index.ts';
import { startServiceForFile } from '../support/shared.ts';
import { clientOf, failureOf } from './support/client.ts';
import { errorResponse, type Fate, type Gateway, startGateway } from './support/gateway.ts';

const unavailable = errorResponse(503, 'unavailable');

describe('Retries of the client', async () => {
  const service = await startServiceForFile();

  async function clientThrough(
    t: TestContext,
    fates: readonly Fate[],
    options: Partial<AnimalStoreOptions> = {},
  ): Promise<{ store: AnimalStore; gateway: Gateway }> {
    const gateway = await startGateway(t, service.origin, fates);
    return { store: clientOf(gateway.baseUrl, options), gateway };
  }

  const namesLike = async (prefix: string) => {
    const names: string[] = [];
    for await (const { name } of clientOf(`${service.origin}/v1`).pets())
      if (name.startsWith(prefix)) names.push(name);
    return names.sort();
  };

  it('create an animal once, whatever is lost on the way', async (t) => {
    const mishaps: Fate[] = [
      'lose request',
      'lose response',
      'truncate response',
      unavailable,
      errorResponse(429, 'rate_limited'),
    ];
    const pairs = mishaps.flatMap((first) => mishaps.map((second) => [first, second]));
    const names = pairs.map((_, n) => `mishap ${n + 10}`);
    await Promise.all(
      names.map(async (name, n) => {
        const { store, gateway } = await clientThrough(t, pairs[n] ?? []);
        const created = await store.createPet({ name, categoryId: 1 });
        assert.equal(created.name, name);
        assert.equal(gateway.requests.length, 3);
        const keys = new Set(gateway.requests.map(({ headers }) => headers['idempotency-key']));
        assert.equal(keys.size, 1, 'every attempt has the same key');
        assert.match([...keys][0] as string, /^[\da-f]{32}$/);
      }),
    );
    assert.deepEqual(await namesLike('mishap'), names);
  });

  it('place an order once although its response is lost', async (t) => {
    const { store, gateway } = await clientThrough(t, ['forward', 'lose response', 'lose response']);
    const pet = await store.createPet({ name: 'Rex', categoryId: 1 });
    const order = await store.createOrder({ petId: pet.id });
    assert.deepEqual([order.petId, order.status], [pet.id, 'placed']);
    assert.equal(gateway.requests.length, 4);
  });

  it('use another key for every call', async (t) => {
    const { store, gateway } = await clientThrough(t, []);
    for (let n = 0; n < 3; n++) await store.createPet({ name: 'Same', categoryId: 1 });
    assert.equal(new Set(gateway.requests.map(({ headers }) => headers['idempotency-key'])).size, 3);
  });

  it('repeat every read after 429, 502, 503, 504 and a lost connection', async (t) => {
    const pet = await clientOf(`${service.origin}/v1`).createPet({ name: 'Rex', categoryId: 1 });
    const reads: ((store: AnimalStore) => Promise<unknown>)[] = [
      (store) => store.listPets(),
      (store) => store.getPet(pet.id),
      (store) => store.listOrders(),
      (store) => store.getInventory(),
    ];
    const repeat = async (read: (store: AnimalStore) => Promise<unknown>) => {
      const { store, gateway } = await clientThrough(t, [
        'lose response',
        unavailable,
        errorResponse(429, 'rate_limited'),
        errorResponse(502, 'bad_gateway'),
        errorResponse(504, 'gateway_timeout'),
      ]);
      await read(store);
      assert.equal(gateway.requests.length, 6);
    };
    await Promise.all(reads.map(repeat));
  });

  it('repeat nothing after any other status', async (t) => {
    for (const status of [400, 401, 404, 408, 409, 410, 413, 422, 500, 501]) {
      const { store, gateway } = await clientThrough(t, [errorResponse(status, 'some_code')]);
      const error = await failureOf(store.createPet({ name: 'Never', categoryId: 1 }));
      assert.deepEqual(
        [error.status, error.code, error.message],
        [status, 'some_code', 'This is some_code.'],
      );
      assert.equal(gateway.requests.length, 1);
    }
  });

  it('go on until the time of the call is used up', async (t) => {
    const { store, gateway } = await clientThrough(t, Array(100).fill(unavailable), { timeoutMs: 3_000 });
    const error = await failureOf(store.createPet({ name: 'Never', categoryId: 1 }));
    // On a slow machine the last attempt may not end in time.
    const shown = error.code === 'timeout' ? (error.cause as AnimalStoreError) : error;
    assert.deepEqual([shown.status, shown.code], [503, 'unavailable']);
    const [first, last] = [gateway.requests[0], gateway.requests.at(-1)];
    assert.ok(Number(last?.at) - Number(first?.at) > 2_000, 'the last attempt comes close to the end');
    assert.ok(gateway.requests.length < 30, `${gateway.requests.length} attempts`);
  });

  it('end after maxRetries with the last error', async (t) => {
    const { store, gateway } = await clientThrough(t, Array(5).fill(unavailable), { maxRetries: 2 });
    const error = await failureOf(store.createPet({ name: 'Never', categoryId: 1 }));
    assert.deepEqual([error.status, error.code], [503, 'unavailable']);
    assert.equal(gateway.requests.length, 3);
    const without = await clientThrough(t, ['lose request'], { maxRetries: 0 });
    const lost = await failureOf(without.store.listPets());
    assert.deepEqual([lost.status, lost.code], [0, 'network_error']);
    assert.equal(lost.requestId, without.gateway.requests[0]?.headers['x-request-id']);
    assert.ok(lost.cause instanceof Error);
  });

  it('report a service that cannot be reached as network_error', async (t) => {
    const gone = await startGateway(t, service.origin, []);
    const refusing = gone.baseUrl.replace(/:\d+/, ':2');
    const { code, status, message } = await failureOf(clientOf(refusing, { maxRetries: 1 }).listPets());
    assert.deepEqual([code, status], ['network_error', 0]);
    assert.match(message, /^No response from http:\/\/127\.0\.0\.1:2\/v1: .*ECONNREFUSED/);
  });

  it('report whatever a fetch of the caller throws as network_error', async () => {
    for (const thrown of [null, undefined, 'text', new TypeError('failed', { cause: null })]) {
      const fetch = () => Promise.reject(thrown);
      const store = clientOf('http://127.0.0.1:2/v1', { fetch, maxRetries: 0 });
      assert.equal((await failureOf(store.listPets())).code, 'network_error');
    }
  });

  it('treat a temporary status of a proxy without an Error body alike', async (t) => {
    const html = { headers: { 'content-type': 'text/html' }, body: '<h1>Busy</h1>' };
    const { store, gateway } = await clientThrough(
      t,
      [503, 429, 502, 504].map((status) => ({ status, ...html })),
    );
    await store.createPet({ name: 'Patience', categoryId: 1 });
    assert.equal(gateway.requests.length, 5);
  });
});
