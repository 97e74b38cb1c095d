import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inspect } from 'node:util';
import { AnimalStore } from '../../src/client/index.ts';
import { startService } from '../support/service/service.ts';
import { failureOf } from './support/client.ts';
import { type Fate, startGateway } from './support/gateway.ts';

const SECRET = 'anst_a-secret-that-must-not-leak';

/** Everything that a log, a debugger or an error tracker would print. */
function everythingOf(value: unknown): string {
  const shown = inspect(value, { depth: Infinity, showHidden: true, getters: true, maxStringLength: null });
  const names = Reflect.ownKeys(value as object).map(
    (key) => `${String(key)}=${String((value as never)[key])}`,
  );
  return [shown, ...names, JSON.stringify(value), String(value), (value as Error).stack].join('\n');
}

describe('The API key', () => {
  it('is in no property, print-out or JSON of the client', () => {
    const store = new AnimalStore({ baseUrl: 'http://127.0.0.1/v1', apiKey: SECRET });
    assert.doesNotMatch(everythingOf(store), /secret/);
    assert.deepEqual({ ...store }, {});
    assert.equal(JSON.stringify(store), '{}');
  });

  it('is in no error, whatever goes wrong', async (t) => {
    const service = await startService(t);
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

  it('is not quoted when it cannot be sent', () => {
    for (const apiKey of [`${SECRET}\n`, `${SECRET} `, `${SECRET}é`]) {
      assert.throws(
        () => new AnimalStore({ baseUrl: 'http://127.0.0.1/v1', apiKey }),
        (error) => !everythingOf(error).includes('secret'),
      );
    }
  });
});
