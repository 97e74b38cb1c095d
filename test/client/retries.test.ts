import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type {
  AnimalStore,
  AnimalStoreError,
  AnimalStoreOptions,
  ChangeOptions,
  EventType,
} from '../../src/client/index.ts';
import { freePort } from '../support/service/free-port.ts';
import { startServiceForFile } from '../support/shared.ts';
import { clientOf, failureOf } from './support/client.ts';
import { errorResponse, type Fate, type Gateway, type OwnResponse, startGateway } from './support/gateway.ts';

const unavailable = errorResponse(503, 'unavailable');

const MISHAPS: readonly Fate[] = [
  'lose request',
  'delay request',
  'lose response',
  'truncate response',
  ...[429, 502, 503, 504].map((status) => errorResponse(status, 'temporary')),
];

type Change = (store: AnimalStore, options: ChangeOptions) => Promise<unknown>;

/** Every kind of change, each of something else, with the type of its one event. No category has the name. */
async function changesOf(store: AnimalStore, name: string): Promise<[EventType, Change][]> {
  const rex = { name, categoryId: 1 };
  const add = () => store.createPet(rex);
  const place = async () => store.createOrder({ petId: (await add()).id });
  const [renamed, reserved, sick, back] = [await add(), await add(), await add(), await add()];
  const [wanted, bought] = [await add(), await add()];
  const [sale, note] = [await place(), await place()];
  const category = await store.createCategory({ name: `${name}, old` });
  await store.removePet(back.id);
  return [
    ['pet.created', (client, options) => client.createPet(rex, options)],
    ['pet.created', (client, options) => client.createPets([rex], options)],
    [
      'pet.updated',
      (client, options) =>
        client.updatePet(renamed.id, { name: 'Max' }, { ...options, ifMatch: renamed.etag }),
    ],
    ['pet.updated', (client, options) => client.updatePet(reserved.id, { status: 'pending' }, options)],
    [
      'pet.removed',
      (client, options) => client.removePet(sick.id, { ...options, ifMatch: sick.etag, reason: 'died' }),
    ],
    ['pet.restored', (client, options) => client.restorePet(back.id, options)],
    ['order.placed', (client, options) => client.createOrder({ petId: wanted.id }, options)],
    [
      'order.completed',
      (client, options) => client.createOrder({ petId: bought.id, status: 'completed' }, options),
    ],
    ['order.completed', (client, options) => client.updateOrder(sale.id, { status: 'completed' }, options)],
    ['order.updated', (client, options) => client.updateOrder(note.id, { note: 'Ms Lee' }, options)],
    ['category.created', (client, options) => client.createCategory({ name: `${name}, new` }, options)],
    ['category.created', (client, options) => client.setCategory(-sale.id, { name }, options)],
    ['category.removed', (client, options) => client.removeCategory(category.id, options)],
  ];
}

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

  for (const mishap of MISHAPS) {
    const name = typeof mishap === 'string' ? mishap : `${(mishap as OwnResponse).status}`;
    it(`make every change once, and resolve with its first result, in spite of: ${name}`, async (t) => {
      const direct = clientOf(`${service.origin}/v1`);
      const changes = await changesOf(direct, name);
      const [newest] = (await direct.listEvents({ order: 'newest', limit: 1 })).items;
      await Promise.all(
        changes.map(async ([type, change]) => {
          const { store, gateway } = await clientThrough(t, [mishap]);
          const result = await change(store, {});
          const [first, second] = gateway.requests.map(({ headers }) => headers['idempotency-key']);
          assert.match(String(first), /^[\da-f]{32}$/);
          assert.deepEqual([type, second, gateway.requests.length], [type, first, 2]);
          assert.deepEqual(await change(direct, { idempotencyKey: String(first) }), result);
        }),
      );
      const { items } = await direct.listEvents({ after: newest?.id, limit: 100 });
      assert.deepEqual(items.map(({ type }) => type).sort(), changes.map(([type]) => type).sort());
    });
  }

  it('do not put an animal up for sale again that was sold since a lost answer', async (t) => {
    const direct = clientOf(`${service.origin}/v1`);
    const sell = (petId: bigint) => async (): Promise<Fate> => {
      await direct.updatePet(petId, { status: 'available' });
      await direct.createOrder({ petId, status: 'completed' });
      return 'lose request';
    };
    const codes = { 'lose response': 'resolved', 'lose request': 'pet_sold_by_order' };
    for (const [mishap, expected] of Object.entries(codes)) {
      const { id } = await direct.createPet({ name: 'Rex', categoryId: 1, status: 'sold' });
      const { store } = await clientThrough(t, [mishap as Fate, sell(id)]);
      const call = store.updatePet(id, { status: 'available' });
      assert.equal(
        await call.then(
          () => 'resolved',
          ({ code }: AnimalStoreError) => code,
        ),
        expected,
      );
      assert.equal((await direct.updatePet(id, {})).status, 'sold');
    }
  });

  it('use another key for every change, and none for updatePet without a field, which only reads', async (t) => {
    const { store, gateway } = await clientThrough(t, []);
    const { id } = await store.createPet({ name: 'Same', categoryId: 1 });
    await store.createPet({ name: 'Same', categoryId: 1 });
    await store.updatePet(id, { name: undefined }, { idempotencyKey: 'unused' });
    const keys = gateway.requests.map(({ headers }) => headers['idempotency-key']);
    assert.equal(new Set(keys).size, 3);
    assert.equal(keys[2], undefined);
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
    t.mock.timers.enable({ apis: ['setTimeout'] });
    t.mock.method(Math, 'random', () => 0.99);
    const start = performance.now();
    let now = start;
    t.mock.method(performance, 'now', () => now);
    const attempts: number[] = [];
    const fetch = async () => {
      attempts.push(now - start);
      return Response.json({ code: 'unavailable', message: 'Busy.' }, { status: 503 });
    };
    const store = clientOf('http://unused.test/v1', { fetch, timeoutMs: 3_000 });
    let isOver = false;
    const failure = failureOf(store.createPet({ name: 'Never', categoryId: 1 })).finally(() => {
      isOver = true;
    });
    for (; !isOver; now += 10) {
      t.mock.timers.tick(10);
      await new Promise(setImmediate);
    }
    const { status, code } = await failure;
    assert.deepEqual([status, code], [503, 'unavailable']);
    assert.ok(Number(attempts.at(-1)) > 2_800, 'the last attempt comes close to the end');
    assert.ok(attempts.length < 30, `${attempts.length} attempts`);
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

  it('report a service that cannot be reached as network_error', async () => {
    const refusing = `http://127.0.0.1:${await freePort()}/v1`;
    const { code, status, message } = await failureOf(clientOf(refusing, { maxRetries: 1 }).listPets());
    assert.deepEqual([code, status], ['network_error', 0]);
    assert.ok(message.startsWith(`No response from ${refusing}: `), message);
    assert.match(message, /ECONNREFUSED/);
  });

  it('report whatever a fetch of the caller throws as network_error', async () => {
    for (const thrown of [null, undefined, 'text', new TypeError('failed', { cause: null })]) {
      const fetch = () => Promise.reject(thrown);
      const store = clientOf('http://unused.test/v1', { fetch, maxRetries: 0 });
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
