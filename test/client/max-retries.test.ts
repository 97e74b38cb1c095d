import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startServiceForFile } from '../support/shared.ts';
import { clientOf, failureOf } from './support/client.ts';
import { errorResponse, startGateway } from './support/gateway.ts';
import { METHODS, type Method } from './support/methods.ts';

/** Every method is tried again after 429, which the service sends before it does anything. */
const LIMITED = Array(9).fill(errorResponse(429, 'rate_limited'));

describe('maxRetries of a call', async () => {
  const service = await startServiceForFile();

  it('limits the attempts of every method, whatever the limit of the client is', async (t) => {
    const cases = [
      { ofClient: undefined, ofCall: 0, attempts: 1 },
      { ofClient: undefined, ofCall: 1, attempts: 2 },
      { ofClient: 0, ofCall: 1, attempts: 2 },
      { ofClient: 1, ofCall: undefined, attempts: 2 },
    ];
    const check = async (name: string, method: Method) => {
      for (const { ofClient, ofCall, attempts } of cases) {
        const gateway = await startGateway(t, service.origin, LIMITED);
        const store = clientOf(gateway.baseUrl, { maxRetries: ofClient });
        const { code } = await failureOf(method(store, { maxRetries: ofCall }));
        assert.deepEqual([name, code, gateway.requests.length], [name, 'rate_limited', attempts]);
      }
    };
    await Promise.all(Object.entries(METHODS).map(([name, method]) => check(name, method)));
  });

  it('must be a number from 0', async (t) => {
    const gateway = await startGateway(t, service.origin, []);
    const store = clientOf(gateway.baseUrl);
    for (const [name, method] of Object.entries(METHODS)) {
      for (const maxRetries of [-1, Number.NaN]) {
        const { code, message } = await failureOf(method(store, { maxRetries }));
        assert.deepEqual(
          [name, code, message],
          [name, 'invalid_argument', 'maxRetries must be a number from 0.'],
        );
      }
    }
    assert.equal(gateway.requests.length, 0);
  });

  it('applies to each page of a walk', async (t) => {
    const direct = clientOf(`${service.origin}/v1`);
    for (const name of ['Rex', 'Max']) await direct.createPet({ name, categoryId: 1 });
    const [limited] = LIMITED;
    const gateway = await startGateway(t, service.origin, [limited, 'forward', limited, 'forward']);
    const names: string[] = [];
    const walk = clientOf(gateway.baseUrl).pets({ limit: 1 }, { maxRetries: 1 });
    for await (const { name } of walk) names.push(name);
    assert.deepEqual(names, ['Max', 'Rex']);
  });

  it('counts attempts to connect to the events that time out', async (t) => {
    const gateway = await startGateway(t, service.origin, ['hang', 'hang', 'hang', 'hang']);
    let attempts = 0;
    const counting: typeof fetch = (...args) => {
      attempts++;
      return fetch(...args);
    };
    const client = clientOf(gateway.baseUrl, { fetch: counting });
    const stream = client.events({}, { timeoutMs: 100, maxRetries: 2 });
    assert.equal((await failureOf(stream.next())).code, 'timeout');
    assert.equal(attempts, 3);
  });
});
