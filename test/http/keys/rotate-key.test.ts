import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertError, header } from '../../support/assert.ts';
import { storeKey } from '../../support/service/stored-key.ts';
import { startServiceForFile } from '../../support/shared.ts';
import { callsTo, inDays, type RotatedKey, till } from './support.ts';

const service = await startServiceForFile();
const { accepted, create, isAccepted, keyWith, refused, rotate } = callsTo(service);

describe('POST /keys/{keyId}/rotate', () => {
  it('creates a key with the same name, scopes and lifetime; the old one works until the overlap ends', async () => {
    const old = await create({ ...till, expiresAt: inDays(300) });
    // The lifetime is that of the present expiry.
    await service.call('PATCH', `/v1/keys/${old.id}`, { body: { expiresAt: inDays(30) } });
    const answer = await rotate(old.id, { overlap: '7d' });
    assert.equal(answer.status, 201, answer.text);
    assert.equal(header(answer, 'cache-control'), 'no-store');
    const { key, replaces, ...created } = answer.json as RotatedKey;
    assert.deepEqual([created.name, created.scopes], [till.name, till.scopes]);
    assert.ok(Math.abs(Date.parse(created.expiresAt ?? '') - Date.parse(inDays(30))) < 60_000);
    assert.equal(replaces.replacedBy, created.id);
    assert.ok(Math.abs(Date.parse(replaces.expiresAt ?? '') - Date.parse(inDays(7))) < 60_000);
    assert.ok(!('key' in replaces) && !('digest' in created));
    await accepted(key);
    assert.ok(await isAccepted(old.key));
  });

  it('takes a day of overlap unless told, and ends the old key after it', async () => {
    const { id } = await storeKey(service.store, ['pets:read']);
    const { replaces } = (await rotate(id)).json as RotatedKey;
    assert.ok(Math.abs(Date.parse(replaces.expiresAt ?? '') - Date.parse(inDays(1))) < 60_000);
    const short = await keyWith('pets:read');
    assert.equal((await rotate(short.id, { overlap: '1s' })).status, 201);
    await refused(short.key);
  });

  it('is 400 for an overlap that is none', async () => {
    const { id } = await storeKey(service.store, ['pets:read']);
    for (const overlap of ['', '0s', '1w', '-1d', ' 1d', '1.5h', 3600, null]) {
      const message = assertError(await rotate(id, { overlap }), 400, 'invalid_request');
      assert.match(message, /^overlap must be (?:a time such as 90d|text)/);
    }
    const misspelt = assertError(await rotate(id, { overlpa: '1h' }), 400, 'invalid_request');
    assert.equal(misspelt, 'overlpa is not known here: send overlap.');
  });

  it('is 409 for a key that is revoked, expired or replaced already', async () => {
    const [revoked, replaced] = [await storeKey(service.store, ['*']), await storeKey(service.store, ['*'])];
    const expired = await storeKey(service.store, ['*'], { expiresAt: new Date(Date.now() - 1) });
    await service.call('DELETE', `/v1/keys/${revoked.id}`);
    const { id } = (await rotate(replaced.id)).json as RotatedKey;
    const message = async (key: string) => assertError(await rotate(key), 409, 'key_not_active');
    assert.match(await message(revoked.id), /is revoked/);
    assert.match(await message(expired.id), /is expired/);
    assert.match(await message(replaced.id), new RegExp(`replaced by key ${id}: rotate that one`));
  });

  it('lets a key rotate itself, and gives it nothing that it lacks', async () => {
    const { id, key } = await keyWith('keys:write');
    const created = (await rotate(id, {}, key)).json as RotatedKey;
    assert.deepEqual(created.scopes, ['keys:write']);
  });
});
