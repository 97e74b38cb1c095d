import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { generateKey } from '../../../src/keys/format.ts';
import { openStore } from '../../../src/store/open.ts';
import { assertError, header } from '../../support/assert.ts';
import { eventuallyEqual } from '../../support/eventually.ts';
import { linesOf } from '../../support/service/log.ts';
import { startService, temporaryFolder } from '../../support/service/service.ts';
import { storeKey } from '../../support/service/stored-key.ts';
import { startServiceForFile } from '../../support/shared.ts';
import { type CreatedKey, callsTo, type Key, till } from './support.ts';

const service = await startServiceForFile();
const { isAccepted, keyWith, listed, refused } = callsTo(service);

describe('DELETE /keys/{keyId}', () => {
  it('revokes a key for good; to do it again changes nothing', async () => {
    const { id, key } = await keyWith('pets:read');
    assert.equal((await service.call('DELETE', `/v1/keys/${id}`)).status, 204);
    await refused(key);
    const first = await listed(id);
    assert.equal((await service.call('DELETE', `/v1/keys/${id}`)).status, 204);
    assert.deepEqual(await listed(id), first);
  });

  it('ends at once that the key changes keys, even where it still reads', async (t) => {
    const database = `sqlite:${join(await temporaryFolder(t), 'pets.db')}`;
    const store = await openStore(database);
    t.after(() => store.close());
    const [{ id, key }, other] = [
      await storeKey(store, ['keys:write']),
      await storeKey(store, ['keys:read']),
    ];
    const own = await startService(t, { database });
    const invalid = await own.call('GET', '/v1/pets', { key: generateKey() });
    const body = { name: 'lasting', scopes: ['keys:write'] };
    assert.equal((await own.call('POST', '/v1/keys', { key, body })).status, 201);
    assert.equal((await own.call('DELETE', `/v1/keys/${id}`)).status, 204);
    const before = (await store.listKeys()).length;
    for (const [method, path, sent] of [
      ['POST', '/v1/keys', { body }],
      ['POST', `/v1/keys/${other.id}/rotate`, { body: {} }],
      ['POST', `/v1/keys/${id}/rotate`, { body: {} }],
      ['DELETE', `/v1/keys/${other.id}`, {}],
      ['DELETE', `/v1/keys/${id}`, {}],
    ] as const) {
      const answer = await own.call(method, path, { key, ...sent });
      assertError(answer, 401, 'unauthorized');
      assert.equal(answer.text, invalid.text);
      assert.equal(header(answer, 'www-authenticate'), header(invalid, 'www-authenticate'));
      const [line] = await linesOf(own, answer);
      assert.deepEqual([line?.keyId, line?.refusal], [id, 'revoked']);
    }
    assert.equal((await store.listKeys()).length, before);
    assert.equal((await store.getKey(other.id))?.revokedAt, undefined);
  });

  it('names the changed key in the log, beside the key that has changed it', async (t) => {
    const own = await startService(t);
    const by = await callsTo(own).currentId();
    const created = await own.call('POST', '/v1/keys', { body: till });
    const { id } = created.json as CreatedKey;
    const changes = [
      created,
      await own.call('POST', `/v1/keys/${id}/rotate`, { body: {} }),
      await own.call('DELETE', `/v1/keys/${id}`),
    ];
    for (const answer of changes) {
      const [line] = await linesOf(own, answer);
      assert.deepEqual([line?.keyId, line?.targetKeyId], [by, id]);
    }
  });

  it('lets a key revoke itself, even the last one with full access', async (t) => {
    const own = await startService(t, { config: { apiKeys: [] } });
    const { id, key } = await storeKey(own.store, ['*']);
    const status = async () => (await own.call('GET', '/v1/keys/current', { key })).status;
    await eventuallyEqual(status, 200);
    assert.equal((await own.call('DELETE', `/v1/keys/${id}`, { key })).status, 204);
    await eventuallyEqual(status, 401);
  });

  it('is 404 for an id that is not that of a stored key', async () => {
    const { id } = await storeKey(service.store, ['*']);
    const { id: configured } = (await service.call('GET', '/v1/keys/current')).json as Key;
    for (const other of [
      '0',
      '-1',
      `0${id}`,
      `${id}.0`,
      '99999',
      '9'.repeat(40),
      'x',
      '%20',
      configured,
      `${id}%00`,
    ]) {
      assertError(await service.call('DELETE', `/v1/keys/${other}`), 404, 'key_not_found');
      assertError(await service.call('POST', `/v1/keys/${other}/rotate`, { body: {} }), 404, 'key_not_found');
    }
    assert.equal((await listed(id))?.revokedAt, undefined);
  });

  it('is 403 for a key that has more scopes', async () => {
    const { key } = await keyWith('keys:write', 'store:write');
    const more = [await keyWith('*'), await keyWith('keys:write', 'pets:read')];
    for (const { id, key: other } of more) {
      assertError(await service.call('DELETE', `/v1/keys/${id}`, { key }), 403, 'insufficient_scope');
      const rotate = await service.call('POST', `/v1/keys/${id}/rotate`, { key, body: {} });
      assertError(rotate, 403, 'insufficient_scope');
      assert.ok(await isAccepted(other));
      assert.equal((await listed(id))?.replacedBy, undefined);
    }
    const fewer = await keyWith('store:read', 'keys:read');
    assert.equal((await service.call('DELETE', `/v1/keys/${fewer.id}`, { key })).status, 204);
  });
});
