import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AnimalStore } from '../../src/client/index.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import { freePort } from '../support/service/free-port.ts';
import { KEY } from '../support/service/service.ts';
import { startServiceForFile } from '../support/shared.ts';
import { clientOf, collect, failureOf } from './support/client.ts';
import { errorResponse, startGateway } from './support/gateway.ts';

const display = { name: 'price display', scopes: ['pets:read'] } as const;

describe('The client, with API keys', async () => {
  const service = await startServiceForFile();
  const baseUrl = `${service.origin}/v1`;
  const store = clientOf(baseUrl);

  it('creates, lists, changes, rotates and revokes one', async () => {
    const { key, ...created } = await store.createKey({ ...display, expiresAt: '2099-01-01T00:00:00+01:00' });
    const { id, createdBy } = created;
    assert.equal(created.expiresAt, '2098-12-31T23:00:00.000Z');
    assert.deepEqual(await collect(store.keys()), [created]);
    assert.deepEqual((await store.listKeys({ limit: 1 })).items, [created]);

    const changes = { name: 'shelf', scopes: ['store:read'] } as const;
    const changed = await store.updateKey(id, changes);
    assert.deepEqual(changed, { ...created, ...changes, changedBy: createdBy });
    const limited = clientOf(baseUrl, { apiKey: key });
    const { expiresAt } = created;
    await eventuallyEqual(() => limited.getCurrentKey(), { id, ...changes, expiresAt });
    const failure = await failureOf(limited.createPet({ name: 'Rex', categoryId: 7 }));
    assert.deepEqual([failure.code, failure.status], ['insufficient_scope', 403]);
    assert.equal((await store.updateKey(id, { expiresAt: null })).expiresAt, undefined);
    const rotated = await store.rotateKey(id, { overlap: '1h' });
    assert.equal(rotated.replaces.replacedBy, rotated.id);
    assert.equal((await failureOf(store.rotateKey(id))).code, 'key_not_active');
    await store.revokeKey(rotated.id);
    const [newest] = (await store.listKeys()).items;
    assert.ok(newest?.revokedAt !== undefined && newest.id === rotated.id);
    assert.equal((await failureOf(store.revokeKey('99'))).code, 'key_not_found');
  });

  it('changes and revokes one in spite of lost responses', async (t) => {
    const { id } = await store.createKey(display);
    const gateway = await startGateway(t, service.origin, ['lose response', 'forward', 'lose response']);
    const through = clientOf(gateway.baseUrl);
    assert.equal((await through.updateKey(id, { name: 'shelf' })).name, 'shelf');
    await through.revokeKey(id);
    assert.equal(gateway.requests.length, 4);
  });

  it('creates and rotates one although the connection is refused at first, by one address or by several', async () => {
    const port = await freePort();
    for (const host of ['127.0.0.1', 'localhost']) {
      let isRefused = false;
      const refused: typeof fetch = (url, init) => {
        isRefused = !isRefused;
        return fetch(isRefused ? `http://${host}:${port}` : url, init);
      };
      const restarting = clientOf(baseUrl, { fetch: refused });
      const { id } = await restarting.createKey(display);
      assert.equal((await restarting.rotateKey(id)).replaces.id, id);
    }
  });

  it('creates none twice when a response is lost or the outcome is unknown', async (t) => {
    let attempts = 0;
    const losing = new AnimalStore({
      baseUrl,
      apiKey: KEY,
      fetch: async (...args) => {
        await fetch(...args);
        attempts++;
        throw new TypeError('the connection was lost');
      },
    });
    const before = (await collect(store.keys())).length;
    assert.equal((await failureOf(losing.createKey(display))).code, 'network_error');
    assert.equal((await collect(store.keys())).length, before + 1);
    const [created] = (await store.listKeys({ limit: 1 })).items;
    assert.equal((await failureOf(losing.rotateKey(created?.id ?? ''))).code, 'network_error');
    assert.equal(attempts, 2);
    for (const status of [502, 503, 504]) {
      const gateway = await startGateway(t, service.origin, [errorResponse(status, 'unavailable')]);
      assert.equal((await failureOf(clientOf(gateway.baseUrl).createKey(display))).status, status);
      assert.equal(gateway.requests.length, 1);
    }
  });

  it('rejects what is not the id of a key before it sends anything', async (t) => {
    const gateway = await startGateway(t, service.origin, []);
    const through = clientOf(gateway.baseUrl);
    for (const id of ['', '..', '../pets/1', 'a b', '1?x'])
      for (const call of [
        through.revokeKey(id),
        through.updateKey(id, { name: 'x' }),
        through.rotateKey(id, {}),
      ])
        assert.equal((await failureOf(call)).code, 'invalid_argument', id);
    assert.equal(gateway.requests.length, 0);
  });
});
