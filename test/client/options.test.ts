import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inspect } from 'node:util';
import { AnimalStore, type EndedAttempt, type Hooks } from '../../src/client/index.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import { KEY } from '../support/service/service.ts';
import { startServiceForFile } from '../support/shared.ts';
import { unhandledRejections } from '../support/unhandled.ts';
import { clientOf, collect, failureOf } from './support/client.ts';
import { errorResponse, type Fate, startGateway } from './support/gateway.ts';
import { METHODS } from './support/methods.ts';

const SECRET = 'anst_a-secret-that-must-not-leak';

/** Everything that a log, a debugger or an error tracker would print. */
function everythingOf(value: unknown): string {
  const shown = inspect(value, { depth: Infinity, showHidden: true, getters: true, maxStringLength: null });
  const names = Reflect.ownKeys(value as object).map(
    (key) => `${String(key)}=${String((value as never)[key])}`,
  );
  return [shown, ...names, JSON.stringify(value), String(value), (value as Error).stack].join('\n');
}

describe('A new client', async () => {
  const service = await startServiceForFile();

  it('rejects options that cannot work, in one line that does not quote the key', () => {
    const good = { baseUrl: 'http://127.0.0.1/v1', apiKey: 'some-key' };
    const bad: [string, object][] = [
      ['baseUrl', { baseUrl: 'not a url' }],
      ['baseUrl', { baseUrl: 'ftp://shop.example/v1' }],
      ['baseUrl', { baseUrl: 'http://shop.example/v1?x=1' }],
      ['baseUrl', { baseUrl: 'http://user:secret@shop.example/v1' }],
      ['baseUrl', { baseUrl: 'http://:secret@shop.example/v1' }],
      ['apiKey', { apiKey: '' }],
      ['apiKey', { apiKey: undefined }],
      ...[`${SECRET}\n`, `${SECRET} `, `${SECRET}é`].map((apiKey): [string, object] => [
        'apiKey',
        { apiKey },
      ]),
      ['timeoutMs', { timeoutMs: 0 }],
      ['timeoutMs', { timeoutMs: 2 ** 31 }],
      ['maxRetries', { maxRetries: -1 }],
    ];
    for (const [name, options] of bad)
      assert.throws(
        () => new AnimalStore({ ...good, ...options }),
        (error: Error) => {
          assert.match(error.message, new RegExp(`^${name} must be [^\n]+$`));
          assert.doesNotMatch(everythingOf(error), /secret/);
          return 'code' in error && error.code === 'invalid_argument';
        },
      );
  });

  it('accepts a base address with or without a slash at its end, and as a URL', async () => {
    const base = `${service.origin}/v1`;
    for (const baseUrl of [`${base}/`, `${base}?`, `${base}#`, new URL(base)])
      assert.deepEqual((await new AnimalStore({ baseUrl, apiKey: KEY }).listPets()).items, []);
  });

  it('has its key in no property, print-out or JSON', () => {
    const store = new AnimalStore({ baseUrl: 'http://127.0.0.1/v1', apiKey: SECRET });
    assert.doesNotMatch(everythingOf(store), /secret/);
    assert.deepEqual({ ...store }, {});
    assert.equal(JSON.stringify(store), '{}');
  });

  it('has its key in no error, whatever goes wrong', async (t) => {
    const controller = new AbortController();
    const { signal } = controller;
    const hang = async () => {
      controller.abort();
      return 'hang' as const;
    };
    const fates: Fate[] = ['forward', 'lose request', 'truncate response', { status: 500, body: '<' }, hang];
    for (const fate of fates) {
      const { baseUrl, requests } = await startGateway(t, service.origin, [fate]);
      const store = new AnimalStore({ baseUrl, apiKey: SECRET, maxRetries: 0 });
      const error = await failureOf(store.createPet({ name: 'Rex', categoryId: 1 }, { signal }));
      assert.equal(requests[0]?.headers.authorization, `Bearer ${SECRET}`);
      assert.doesNotMatch(everythingOf(error), /secret/);
    }
    assert.doesNotMatch(JSON.stringify(service.log), /secret/);
  });
});

describe('The hooks of a client', async () => {
  const service = await startServiceForFile();

  /** A stream that ends after an event. */
  const stream = () => new Response('data: {}\n\n', { headers: { 'content-type': 'text/event-stream' } });

  /** Records what hooks are told: its kind, the attempt, and for one that has ended the status and the code of the error. */
  function record() {
    const seen: unknown[][] = [];
    const attempts: EndedAttempt[] = [];
    const add = (kind: string) => (attempt: object) => {
      const ended = attempt as EndedAttempt;
      attempts.push(ended);
      seen.push([kind, ended.attempt, ...(kind === 'request' ? [] : [ended.status, ended.error?.code])]);
    };
    const hooks: Hooks = { onRequest: add('request'), onResponse: add('response'), onRetry: add('retry') };
    return { hooks, seen, attempts };
  }

  it('are told of every attempt of a call, of its end and of its repetition, and never of the key', async (t) => {
    const fates: Fate[] = [
      errorResponse(503, 'unavailable'),
      'lose request',
      'forward',
      errorResponse(409, 'x'),
    ];
    const { baseUrl, requests } = await startGateway(t, service.origin, fates);
    const { hooks, seen, attempts } = record();
    const store = clientOf(baseUrl, { hooks });
    await store.listPets({ name: 'rex' });
    const requestId = requests[0]?.headers['x-request-id'];
    for (const { ms = 0, ...attempt } of attempts) {
      assert.deepEqual({ ...attempt, method: 'GET', url: `${baseUrl}/pets?name=rex`, requestId }, attempt);
      assert.ok(ms >= 0);
    }
    await failureOf(store.createPet({ name: 'Rex', categoryId: 1 }));
    assert.deepEqual(seen, [
      ['request', 1],
      ['response', 1, 503, 'unavailable'],
      ['retry', 1, 503, 'unavailable'],
      ['request', 2],
      ['response', 2, 0, 'network_error'],
      ['retry', 2, 0, 'network_error'],
      ['request', 3],
      ['response', 3, 200, undefined],
      ['request', 1],
      ['response', 1, 409, 'x'],
    ]);
    assert.ok(!everythingOf(attempts).includes(KEY));
  });

  it('are told of every connection of a stream', async () => {
    const { hooks, seen } = record();
    const expired = { code: 'cursor_expired', message: '' };
    const answers = [stream(), Response.json(expired, { status: 410 })];
    const fetch = async () => answers.shift() as Response;
    await failureOf(collect(clientOf('http://unused.test/v1', { fetch, hooks }).events()));
    assert.deepEqual(seen, [
      ['request', 1],
      ['response', 1, 200, undefined],
      ['retry', 1, 200, undefined],
      ['request', 2],
      ['response', 2, 410, 'cursor_expired'],
    ]);
  });

  it('and onLiveness change nothing when they throw, and what they throw is no secret', async (t) => {
    const errors = unhandledRejections(t);
    const fail = (name: string) => () => {
      throw name;
    };
    const hooks = { onRequest: fail('request'), onResponse: fail('response'), onRetry: fail('retry') };
    const answers = [
      Response.json({ code: 'busy', message: '' }, { status: 503 }),
      Response.json([]),
      stream(),
    ];
    const store = clientOf('http://unused.test/v1', {
      fetch: async () => answers.shift() as Response,
      hooks,
    });
    assert.deepEqual((await store.listPets()).items, []);
    for await (const _event of store.events({}, { onLiveness: fail('liveness') })) break;
    const expected = new Set(['request', 'response', 'retry', 'liveness']);
    await eventuallyEqual(() => new Set(errors), expected);
  });
});

describe('An argument that is invalid', async () => {
  const { signal } = new AbortController();
  const service = await startServiceForFile();

  /** Expects each call to be refused with this message, and that no request is made. */
  async function assertRefused(
    t: Parameters<typeof startGateway>[0],
    calls: Record<string, (store: AnimalStore) => Promise<unknown>>,
    says: string,
  ): Promise<void> {
    const gateway = await startGateway(t, service.origin, []);
    for (const [name, method] of Object.entries(calls)) {
      const { code, message } = await failureOf(method(clientOf(gateway.baseUrl)));
      assert.deepEqual([name, code, message], [name, 'invalid_argument', says]);
    }
    assert.deepEqual(gateway.requests, []);
  }

  it('is a key of a query that the method does not know, although a program without types may pass it', async (t) => {
    const lists = ['listPets', 'listCategories', 'listOrders', 'listEvents', 'listKeys'] as const;
    const walks = ['pets', 'categories', 'orders', 'events', 'keys'] as const;
    for (const query of [{ signal }, { colour: 'black' }, { toString: 1 }, { colour: undefined }]) {
      const calls = [
        ...lists.map((name) => [name, (store: AnimalStore) => store[name](query as object)]),
        ...walks.map((name) => [name, (store: AnimalStore) => store[name](query as object).next()]),
      ];
      await assertRefused(t, Object.fromEntries(calls), `query must not contain "${Object.keys(query)[0]}".`);
    }
  });

  it('is an option that no method knows, or a limit that is none', async (t) => {
    const wrong: [object, string][] = [
      [{ timeout: 5_000 }, 'options must not contain "timeout".'],
      [{ signal, toString: 1 }, 'options must not contain "toString".'],
      [{ maxRetries: -1 }, 'maxRetries must be a number from 0.'],
      [{ maxRetries: Number.NaN }, 'maxRetries must be a number from 0.'],
      ...[0, -1, Number.NaN, 2 ** 31].map((timeoutMs): [object, string] => [
        { timeoutMs },
        'timeoutMs must be a number from 1 to 2147483647.',
      ]),
    ];
    for (const [options, says] of wrong) {
      const calls = Object.entries(METHODS).map(([name, method]) => [
        name,
        (store: AnimalStore) => method(store, options),
      ]);
      await assertRefused(t, Object.fromEntries(calls), says);
    }
  });

  it('is an option that only another method takes', async () => {
    const store = clientOf(`${service.origin}/v1`);
    const foreign: Record<string, object> = {
      createPet: { ifMatch: '"a"' },
      updatePet: { reason: 'died' },
      restorePet: { ifMatch: '"a"' },
      createKey: { idempotencyKey: 'a' },
      getInventory: { onLiveness: () => {} },
      listEvents: { onLiveness: () => {} },
      events: { categoryId: 1 },
    };
    for (const [name, options] of Object.entries(foreign)) {
      const method = METHODS[name as keyof AnimalStore];
      assert.equal((await failureOf(method(store, options))).code, 'invalid_argument', name);
    }
  });
});
