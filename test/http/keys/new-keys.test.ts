import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ApiError } from '../../../src/contract/errors.ts';
import { limits } from '../../../src/contract/limits.ts';
import { generateKey } from '../../../src/keys/format.ts';
import type { Store } from '../../../src/store/store.ts';
import { assertError } from '../../support/assert.ts';
import { eventually } from '../../support/eventually.ts';
import { startService, temporaryFolder } from '../../support/service/service.ts';
import { storeKey } from '../../support/service/stored-key.ts';

const TIMES = 20;

/** Counts the look-ups of a store, and lets a test decide what becomes of them. */
function countLookUps(onLookUp = async (_store: Store): Promise<void> => {}) {
  const counted = { lookUps: 0 };
  const observe = (store: Store): Store => ({
    ...store,
    async listKeyChanges(...args) {
      counted.lookUps++;
      await onLookUp(store);
      return store.listKeyChanges(...args);
    },
  });
  return { counted, observe };
}

describe('A new API key', { concurrency: true }, () => {
  it('works from the answer that contains it on, in every process', async (t) => {
    const database = `sqlite:${join(await temporaryFolder(t), 'pets.db')}`;
    const [one, other] = [await startService(t, { database }), await startService(t, { database })];
    for (let i = 0; i < TIMES; i++) {
      const created = await one.call('POST', '/v1/keys', { body: { name: `till ${i}`, scopes: ['*'] } });
      assert.equal(created.status, 201);
      const { id, key } = created.json as { id: string; key: string };
      assert.equal((await other.call('GET', '/v1/keys/current', { key })).status, 200);
      const rotated = await other.call('POST', `/v1/keys/${id}/rotate`, { key, body: {} });
      assert.equal(rotated.status, 201);
      const { key: next } = rotated.json as { key: string };
      for (const service of [one, other])
        assert.equal((await service.call('GET', '/v1/keys/current', { key: next })).status, 200);
    }
  });

  it('is looked up once for all requests that wait', async (t) => {
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
    let isStarted = false;
    const { counted, observe } = countLookUps(() => (isStarted ? isReleased : Promise.resolve()));
    const { call, store } = await startService(t, { observe });
    isStarted = true;
    const before = counted.lookUps;
    const { key } = await storeKey(store, ['pets:read']);
    const calls = Array.from({ length: 50 }, () => call('GET', '/v1/pets', { key }));
    // They and the request for the metrics itself.
    const areWaiting = async () =>
      (await call('GET', '/metrics')).text.includes('\nhttp_server_active_requests 51\n');
    await eventually(areWaiting, 'all of them wait');
    release();
    const statuses = new Set((await Promise.all(calls)).map(({ status }) => status));
    assert.deepEqual([...statuses], [200]);
    // One that was under way, the one after it, and those of the regular refresh, twice a second.
    assert.ok(counted.lookUps - before < 50, `${counted.lookUps - before} look-ups`);
  });

  it('gets 503 if more than a thousand requests wait until theirs is looked up', async (t) => {
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
    let isStarted = false;
    const { observe } = countLookUps(() => (isStarted ? isReleased : Promise.resolve()));
    const { call, store } = await startService(t, { observe });
    isStarted = true;
    const { key } = await storeKey(store, ['pets:read']);
    const calls = Array.from({ length: limits.keyLookUps + 1 }, () => call('GET', '/v1/pets', { key }));
    assertError(await Promise.race(calls), 503, 'unavailable');
    release();
    const statuses = (await Promise.all(calls)).map(({ status }) => status).sort();
    assert.deepEqual([statuses.at(-1), statuses.at(-2)], [503, 200]);
  });

  it('is refused like any other key if there is none such', async (t) => {
    const { call, log } = await startService(t);
    assertError(await call('GET', '/v1/pets', { key: generateKey() }), 401, 'unauthorized');
    assert.equal(log.find(({ msg }) => msg === 'request')?.refusal, 'unknown');
  });

  it('is not looked up if it is mistyped or has another form', async (t) => {
    const { counted, observe } = countLookUps();
    const { call } = await startService(t, { observe });
    const right = generateKey();
    const wrong = right.slice(0, -1) + (right.endsWith('0') ? '1' : '0');
    const [before, start] = [counted.lookUps, performance.now()];
    for (let i = 0; i < 100; i++)
      for (const key of [wrong, 'of-another-service-altogether'])
        assert.equal((await call('GET', '/v1/pets', { key })).status, 401);
    // The regular refresh looks twice a second.
    const most = 50 + (performance.now() - start) / 500;
    assert.ok(counted.lookUps - before < most, `${counted.lookUps - before} look-ups`);
  });

  it('gets 503, which a client may repeat, while it cannot be looked up', async (t) => {
    let isStarted = false;
    const { observe } = countLookUps(async () => {
      if (isStarted) throw new ApiError('unavailable', 'The database cannot be reached.');
    });
    const { call, store } = await startService(t, { observe });
    isStarted = true;
    const { key } = await storeKey(store, ['pets:read']);
    assertError(await call('GET', '/v1/pets', { key }), 503, 'unavailable');
    isStarted = false;
    assert.equal((await call('GET', '/v1/pets', { key })).status, 200);
  });

  it('gets 503, except for the metrics, when it is no longer known whether it was revoked', async (t) => {
    let isDown = false;
    const { observe } = countLookUps(async () => {
      if (isDown) throw new ApiError('unavailable', 'The database cannot be reached.');
    });
    const { call, store } = await startService(t, { observe });
    const { key } = await storeKey(store, ['pets:read', 'metrics:read']);
    assert.equal((await call('GET', '/v1/pets', { key })).status, 200);
    isDown = true;
    await eventually(async () => (await call('GET', '/v1/pets', { key })).status === 503, 'it is refused');
    assert.equal((await call('GET', '/metrics', { key })).status, 200);
    assert.equal((await call('GET', '/v1/pets')).status, 200, 'a key of the configuration is accepted');
    isDown = false;
    assert.equal((await call('GET', '/v1/pets', { key })).status, 200);
  });

  it('gets 503 as soon as a look-up has failed: it does not wait for another one to fail', {
    timeout: 30_000,
  }, async (t) => {
    const { promise: outage, reject: fail } = Promise.withResolvers<void>();
    let started = 0;
    const { observe } = countLookUps(async () => {
      if (started > 0 && started++ > 1) await new Promise(() => {});
      else if (started > 0) await outage;
    });
    const { call } = await startService(t, { observe });
    started = 1;
    const calls = Array.from({ length: 2 }, () => call('GET', '/v1/pets', { key: generateKey() }));
    const areWaiting = async () =>
      (await call('GET', '/metrics')).text.includes('\nhttp_server_active_requests 3\n');
    await eventually(areWaiting, 'both of them wait');
    fail(new ApiError('unavailable', 'The database cannot be reached.'));
    for (const answer of await Promise.all(calls)) assertError(answer, 503, 'unavailable');
  });
});
