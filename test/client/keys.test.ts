import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AnimalStore } from '../../src/client/index.ts';
import { eventually } from '../support/eventually.ts';
import { KEY } from '../support/service.ts';
import { startServiceForFile } from '../support/shared.ts';
import { clientOf, collect, failureOf } from './support/client.ts';

const display = { name: 'price display', scopes: ['pets:read'] } as const;

describe('The client, with API keys', async () => {
  const service = await startServiceForFile();
  const baseUrl = `${service.origin}/v1`;
  const store = clientOf(baseUrl);

  it('creates, lists, rotates and revokes one', async () => {
    const { key, ...created } = await store.createKey({ ...display, expiresAt: '2099-01-01T00:00:00Z' });
    assert.equal(created.expiresAt, '2099-01-01T00:00:00.000Z');
    assert.deepEqual(await collect(store.keys()), [created]);
    assert.deepEqual((await store.listKeys({ limit: 1 })).items, [created]);

    const limited = clientOf(baseUrl, { apiKey: key });
    await eventually(() => limited.getCurrentKey().then(Boolean, () => false), 'the key works');
    const { id, name, scopes, expiresAt } = created;
    assert.deepEqual(await limited.getCurrentKey(), { id, name, scopes, expiresAt });
    const failure = await failureOf(limited.createPet({ name: 'Rex', categoryId: 7 }));
    assert.deepEqual([failure.code, failure.status], ['insufficient_scope', 403]);

    const rotated = await store.rotateKey(id, { overlap: '1h' });
    assert.equal(rotated.replaces.replacedBy, rotated.id);
    assert.equal((await failureOf(store.rotateKey(id))).code, 'key_not_active');
    await store.revokeKey(rotated.id);
    await store.revokeKey(rotated.id);
    const [newest] = (await store.listKeys()).items;
    assert.ok(newest?.revokedAt !== undefined && newest.id === rotated.id);
    assert.equal((await failureOf(store.revokeKey('99'))).code, 'key_not_found');
  });

  it('creates none twice when a response is lost', async () => {
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
  });

  it('rejects what is not the id of a key before it sends anything', async () => {
    for (const id of ['', '..', '../pets/1', 'a b', '1?x'])
      assert.equal((await failureOf(store.revokeKey(id))).code, 'invalid_argument', id);
  });
});
