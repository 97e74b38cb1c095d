import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { startServiceForFile } from '../support/shared.ts';
import { clientOf, failureOf } from './support/client.ts';
import { errorResponse, type Fate, startGateway } from './support/gateway.ts';

describe('Retries of the client', async () => {
  const service = await startServiceForFile();
  const clientThrough = async (t: TestContext, fates: readonly Fate[]) => {
    const gateway = await startGateway(t, service.origin, fates);
    return { gateway, store: clientOf(gateway.baseUrl) };
  };

  it('wait for as many seconds as Retry-After says', async (t) => {
    const { store, gateway } = await clientThrough(t, [
      errorResponse(429, 'rate_limited', { 'retry-after': '1' }),
    ]);
    await store.listPets();
    const [first, second] = gateway.requests.map(({ at }) => at);
    assert.ok(Number(second) - Number(first) >= 1_000);
  });

  it('wait until the date that Retry-After says', async (t) => {
    const date = new Date(Date.now() + 3_000).toUTCString();
    const { store, gateway } = await clientThrough(t, [
      errorResponse(503, 'unavailable', { 'retry-after': date }),
    ]);
    await store.listPets();
    assert.equal(gateway.requests.length, 2);
    assert.ok(Number(gateway.requests[1]?.at) >= Date.parse(date) - 10);
  });

  it('do not wait when Retry-After is not a time or lies in the past', async (t) => {
    for (const value of ['soon', '-5', new Date(0).toUTCString(), '']) {
      const unavailable = errorResponse(503, 'unavailable', { 'retry-after': value });
      const { store, gateway } = await clientThrough(t, [unavailable, unavailable]);
      const { retryAfterMs = 0 } = await failureOf(store.listPets({}, { maxRetries: 0 }));
      assert.equal(retryAfterMs, 0, value);
      await store.listPets();
      assert.equal(gateway.requests.length, 3);
    }
  });

  it('fail at once when Retry-After goes beyond the time-out of the call', async (t) => {
    for (const value of ['61', '99999999999999999999', 'Fri, 31 Dec 9999 23:59:59 GMT']) {
      const { store, gateway } = await clientThrough(t, [
        errorResponse(503, 'unavailable', { 'retry-after': value }),
      ]);
      const error = await failureOf(store.createPet({ name: 'Never', categoryId: 1 }));
      assert.deepEqual([error.code, error.status], ['unavailable', 503]);
      assert.ok((error.retryAfterMs ?? 0) > 60_000);
      assert.equal(gateway.requests.length, 1);
    }
  });
});
