import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type {
  AnimalStore,
  AnimalStoreError,
  AnimalStoreOptions,
  CallOptions,
  ChangeOptions,
  EventType,
} from '../../src/client/index.ts';
import { freePort } from '../support/service/free-port.ts';
import { startService } from '../support/service/service.ts';
import { startServiceForFile } from '../support/shared.ts';
import { clientOf, collect, failureOf } from './support/client.ts';
import { errorResponse, type Fate, type OwnResponse, startGateway } from './support/gateway.ts';
import { METHODS } from './support/methods.ts';

const limited = errorResponse(429, 'rate_limited');

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

const service = await startServiceForFile();
const direct = clientOf(`${service.origin}/v1`);

/** A client whose requests meet these fates. */
async function clientThrough(
  t: TestContext,
  fates: readonly Fate[],
  options: Partial<AnimalStoreOptions> = {},
) {
  const gateway = await startGateway(t, service.origin, fates);
  return { store: clientOf(gateway.baseUrl, options), ...gateway };
}

describe('Retries of the client', { concurrency: true }, () => {
  it('make every change once, and resolve with its first result, whatever happens to it', async (t) => {
    const { origin } = await startService(t);
    const store = clientOf(`${origin}/v1`);
    const changes: [mishap: Fate, type: EventType, change: Change][] = [];
    for (const mishap of MISHAPS) {
      const name = typeof mishap === 'string' ? mishap : `${(mishap as OwnResponse).status}`;
      for (const change of await changesOf(store, name)) changes.push([mishap, ...change]);
    }
    const [newest] = (await store.listEvents({ order: 'newest', limit: 1 })).items;
    await Promise.all(
      changes.map(async ([mishap, type, change]) => {
        const gateway = await startGateway(t, origin, [mishap]);
        const result = await change(clientOf(gateway.baseUrl), {});
        const [first, second] = gateway.requests.map(({ headers }) => headers['idempotency-key']);
        assert.match(String(first), /^[\da-f]{32}$/);
        assert.deepEqual([mishap, type, second, gateway.requests.length], [mishap, type, first, 2]);
        assert.deepEqual(await change(store, { idempotencyKey: String(first) }), result);
      }),
    );
    const types: EventType[] = [];
    for (let query: object | string | undefined = { after: newest?.id, limit: 100 }; query; ) {
      const { items, next } = await store.listEvents(query);
      types.push(...items.map(({ type }) => type));
      query = next;
    }
    assert.deepEqual(types.sort(), changes.map(([, type]) => type).sort());
  });

  it('do not put an animal up for sale again that was sold since a lost answer', async (t) => {
    const sell = (petId: bigint) => async (): Promise<Fate> => {
      await direct.updatePet(petId, { status: 'available' });
      await direct.createOrder({ petId, status: 'completed' });
      return 'lose request';
    };
    const codes = { 'lose response': 'resolved', 'lose request': 'pet_sold_by_order' };
    for (const [mishap, expected] of Object.entries(codes)) {
      const { id } = await direct.createPet({ name: 'Rex', categoryId: 1, status: 'sold' });
      const { store } = await clientThrough(t, [mishap as Fate, sell(id)]);
      const outcome = await store.updatePet(id, { status: 'available' }).then(
        () => 'resolved',
        ({ code }: AnimalStoreError) => code,
      );
      assert.equal(outcome, expected);
      assert.equal((await direct.updatePet(id, {})).status, 'sold');
    }
  });

  it('use another key for every change, and none for updatePet without a field, which only reads', async (t) => {
    const { store, requests } = await clientThrough(t, []);
    const { id } = await store.createPet({ name: 'Same', categoryId: 1 });
    await store.createPet({ name: 'Same', categoryId: 1 });
    await store.updatePet(id, { name: undefined }, { idempotencyKey: 'unused' });
    const keys = requests.map(({ headers }) => headers['idempotency-key']);
    assert.equal(new Set(keys).size, 3);
    assert.equal(keys[2], undefined);
  });

  it('repeat a read after a lost connection and every temporary status, with or without an Error body', async (t) => {
    const html = { headers: { 'content-type': 'text/html' }, body: '<h1>Busy</h1>' };
    const repeat = async (...fates: Fate[]) => {
      const { store, requests } = await clientThrough(t, fates);
      await store.listPets();
      assert.equal(requests.length, fates.length + 1);
    };
    const statuses = [429, 502, 503, 504].map((status) =>
      repeat(errorResponse(status, 'temporary'), { status, ...html }),
    );
    await Promise.all([repeat('lose response'), ...statuses]);
  });

  it('repeat nothing after any other status', async (t) => {
    for (const status of [400, 401, 404, 408, 409, 410, 413, 422, 500, 501]) {
      const { store, requests } = await clientThrough(t, [errorResponse(status, 'some_code')]);
      const error = await failureOf(store.createPet({ name: 'Never', categoryId: 1 }));
      const { code, message } = error;
      assert.deepEqual([error.status, code, message], [status, 'some_code', 'This is some_code.']);
      assert.equal(requests.length, 1);
    }
  });

  it('end after the maxRetries of the call or else of the client, with the last error, for every method', async (t) => {
    const cases = Object.entries(METHODS).map(([name, method]) => ({ name, method, attempts: 2, ofCall: 1 }));
    const { listPets: method } = METHODS;
    const others = [
      { name: 'none', method, ofCall: 0, attempts: 1 },
      { name: 'that of the call', method, ofClient: 0, ofCall: 1, attempts: 2 },
      { name: 'that of the client', method, ofClient: 1, ofCall: undefined, attempts: 2 },
    ];
    await Promise.all(
      [...cases, ...others].map(async ({ name, method, attempts, ofCall, ...more }) => {
        const maxRetries = 'ofClient' in more ? more.ofClient : undefined;
        const { store, requests } = await clientThrough(t, Array(9).fill(limited), { maxRetries });
        const { code, status } = await failureOf(method(store, { maxRetries: ofCall }));
        assert.deepEqual([name, code, status], [name, 'rate_limited', 429]);
        assert.equal(requests.length, attempts, name);
      }),
    );
    const without = await clientThrough(t, ['lose request'], { maxRetries: 0 });
    const lost = await failureOf(without.store.listPets());
    assert.deepEqual([lost.status, lost.code], [0, 'network_error']);
    assert.equal(lost.requestId, without.requests[0]?.headers['x-request-id']);
    assert.ok(lost.cause instanceof Error);
  });

  it('are counted for each page of a walk', async (t) => {
    const { store } = await clientThrough(t, [limited, 'forward', limited, 'forward']);
    for (const name of ['Rex', 'Max']) await direct.createPet({ name, categoryId: 77 });
    const walked = await collect(store.pets({ limit: 1, categoryId: 77 }, { maxRetries: 1 }));
    assert.deepEqual(
      walked.map(({ name }) => name),
      ['Max', 'Rex'],
    );
  });

  it('report a service that cannot be reached, and whatever a fetch of the caller throws, as network_error', async () => {
    const origin = `http://127.0.0.1:${await freePort()}`;
    const refused = await failureOf(clientOf(`${origin}/v1`, { maxRetries: 1 }).listPets());
    assert.deepEqual([refused.code, refused.status], ['network_error', 0]);
    assert.match(refused.message, new RegExp(`^No response from ${origin}/v1: .*ECONNREFUSED`));
    for (const thrown of [null, undefined, 'text', new TypeError('failed', { cause: null })]) {
      const fetch = () => Promise.reject(thrown);
      const store = clientOf('http://unused.test/v1', { fetch, maxRetries: 0 });
      assert.equal((await failureOf(store.listPets())).code, 'network_error');
    }
  });

  it('wait for the seconds or until the date that Retry-After says', async (t) => {
    const date = new Date(Date.now() + 3_000).toUTCString();
    const wait = async (value: string) => {
      const { store, requests } = await clientThrough(t, [
        errorResponse(503, 'unavailable', { 'retry-after': value }),
      ]);
      await store.listPets();
      return requests.map(({ at }) => at);
    };
    const [[first = 0, second = 0], [, atDate = 0]] = await Promise.all([wait('1'), wait(date)]);
    assert.ok(second - first >= 1_000);
    assert.ok(atDate >= Date.parse(date) - 10);
  });

  it('do not wait when Retry-After is not a time or lies in the past', async (t) => {
    for (const value of ['soon', '-5', new Date(0).toUTCString(), '']) {
      const early = errorResponse(503, 'unavailable', { 'retry-after': value });
      const { store } = await clientThrough(t, [early]);
      const { retryAfterMs = 0 } = await failureOf(store.listPets({}, { maxRetries: 0 }));
      assert.equal(retryAfterMs, 0, value);
    }
  });

  it('fail at once when Retry-After goes beyond the time-out of the call', async (t) => {
    for (const value of ['61', '99999999999999999999', 'Fri, 31 Dec 9999 23:59:59 GMT']) {
      const { store, requests } = await clientThrough(t, [
        errorResponse(503, 'unavailable', { 'retry-after': value }),
      ]);
      const error = await failureOf(store.createPet({ name: 'Never', categoryId: 1 }));
      assert.deepEqual([error.code, error.status], ['unavailable', 503]);
      assert.ok((error.retryAfterMs ?? 0) > 60_000);
      assert.equal(requests.length, 1);
    }
  });
});

/** A pause that only an abort or a time-out can end during a test. */
const comeBackLater = errorResponse(503, 'unavailable', { 'retry-after': '50' });

/** One of each kind: a list, a walk, a change, a read. */
const { listPets, pets, updateOrder, getInventory } = METHODS;
const kinds = Object.entries({ listPets, pets, updateOrder, getInventory });

describe('A call of the client', { concurrency: true }, () => {
  it('can be aborted before, during a request, and during a pause', async (t) => {
    const reason = new Error('changed my mind');
    const check = async (name: string, method: typeof listPets, fate: Fate, isBefore: boolean) => {
      const { store, requests } = await clientThrough(t, [fate]);
      const controller = new AbortController();
      if (isBefore) controller.abort(reason);
      const failure = failureOf(method(store, { signal: controller.signal }));
      if (!isBefore) {
        while (requests.length === 0) await sleep(5);
        // The pause begins once the response has arrived.
        await sleep(50);
        controller.abort(reason);
      }
      const { code, status, cause } = await failure;
      assert.deepEqual([name, code, status, cause], [name, 'aborted', 0, reason]);
      assert.equal(requests.length, isBefore ? 0 : 1);
      assert.deepEqual(getEventListeners(controller.signal, 'abort'), [], 'no listener is left');
    };
    await Promise.all(
      kinds.flatMap(([name, method]) => [
        check(name, method, 'hang', false),
        check(name, method, comeBackLater, false),
        check(name, method, 'hang', true),
      ]),
    );
  });

  it('ends after its timeoutMs, or else that of the client', async (t) => {
    const check = async (name: string, method: typeof listPets, options: CallOptions) => {
      const { store } = await clientThrough(t, ['hang'], options.timeoutMs ? {} : { timeoutMs: 100 });
      const { code, status, requestId } = await failureOf(method(store, options));
      assert.deepEqual([name, code, status], [name, 'timeout', 0]);
      assert.match(requestId ?? '', /^[\da-f]{32}$/);
    };
    await Promise.all([
      check('of the client', listPets, {}),
      ...kinds.map(([name, method]) => check(name, method, { timeoutMs: 100 })),
    ]);
  });

  it('counts the attempts to connect to the events that time out', async (t) => {
    let attempts = 0;
    const counting: typeof fetch = (...args) => {
      attempts++;
      return fetch(...args);
    };
    const { store } = await clientThrough(t, Array(4).fill('hang'), { fetch: counting });
    const stream = store.events({}, { timeoutMs: 100, maxRetries: 2 });
    assert.equal((await failureOf(stream.next())).code, 'timeout');
    assert.equal(attempts, 3);
  });

  it('counts the retries toward its time-out, and names the last failure', async (t) => {
    const answers = [Response.json({ code: 'unavailable', message: 'Busy.' }, { status: 503 })];
    const options = { fetch: async (...args: Parameters<typeof fetch>) => answers.pop() ?? fetch(...args) };
    const { store } = await clientThrough(t, ['hang'], options);
    const { code, cause } = await failureOf(store.listPets({}, { timeoutMs: 1_000 }));
    assert.equal(code, 'timeout');
    assert.equal((cause as { code?: string }).code, 'unavailable');
  });

  it('can be ended while the body arrives', async (t) => {
    const unfinished = { status: 200, headers: { 'content-length': '100' }, body: '[{"id":1' };
    const { store } = await clientThrough(t, [unfinished, unfinished]);
    assert.equal((await failureOf(store.listPets({}, { timeoutMs: 200 }))).code, 'timeout');
    const controller = new AbortController();
    const { signal } = controller;
    const receiving: typeof fetch = async (...args) => {
      const response = await fetch(...args);
      // The headers have arrived, and the client reads the body.
      setImmediate(() => controller.abort());
      return response;
    };
    const through = await clientThrough(t, [unfinished], { fetch: receiving });
    assert.equal((await failureOf(through.store.listPets({}, { signal }))).code, 'aborted');
  });

  it('can be aborted between two pages', async () => {
    for (const name of ['Rex', 'Max']) await direct.createPet({ name, categoryId: 78 });
    const controller = new AbortController();
    const { signal } = controller;
    const walk = async () => {
      for await (const _pet of direct.pets({ limit: 1, categoryId: 78 }, { signal })) controller.abort();
    };
    const { code, cause } = await failureOf(walk());
    assert.equal(code, 'aborted');
    assert.equal((cause as Error).name, 'AbortError');
  });
});

// After the others, because it counts the timers of the process.
it('A call of the client leaves no listener and no timer when it succeeds', async () => {
  const { signal } = new AbortController();
  const timers = () => process.getActiveResourcesInfo().filter((type) => type === 'Timeout').length;
  await direct.listPets();
  const before = timers();
  for (let n = 0; n < 20; n++) await direct.listPets({}, { signal });
  assert.deepEqual(getEventListeners(signal, 'abort'), []);
  assert.ok(timers() <= before + 5, `${timers() - before} timers are left after 20 calls`);
});
