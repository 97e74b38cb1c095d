import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertError, header } from '../../support/assert.ts';
import { startService } from '../../support/service/service.ts';
import { storeKey } from '../../support/service/stored-key.ts';
import { startServiceForFile } from '../../support/shared.ts';
import { callsTo, inDays, type Key, type RotatedKey, till } from './support.ts';

const service = await startServiceForFile();
const { accepted, create } = callsTo(service);

describe('GET /keys', () => {
  it('lists them newest first, in pages, also while keys are created', async (t) => {
    const own = await startService(t);
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) ids.unshift((await callsTo(own).create(till)).id);
    const seen: string[] = [];
    for (let path: string | undefined = '/v1/keys?limit=2'; path !== undefined; ) {
      const answer = await own.call('GET', path);
      seen.push(...(answer.json as Key[]).map(({ id }) => id));
      await callsTo(own).create(till);
      const [, query] = /<([^>]*)>; rel="next"/.exec(header(answer, 'link') ?? '') ?? [];
      path = query && `/v1/keys${query}`;
    }
    assert.deepEqual(seen, ids);
    assertError(await own.call('GET', '/v1/keys?limit=0'), 400, 'invalid_parameter');
  });

  it('shows when a key was used, revoked and replaced, and no configured key', async (t) => {
    const own = await startService(t);
    const { id } = await storeKey(own.store, ['pets:read']);
    const at = new Date();
    await own.store.recordKeyUse([{ id, at }]);
    const rotated = (await own.call('POST', `/v1/keys/${id}/rotate`, { body: {} })).json as RotatedKey;
    await own.call('DELETE', `/v1/keys/${id}`);
    const [newest, oldest, ...others] = (await own.call('GET', '/v1/keys')).json as Key[];
    assert.deepEqual(others, []);
    assert.equal(newest?.id, rotated.id);
    assert.equal(oldest?.lastUsedAt, at.toISOString());
    assert.equal(oldest?.replacedBy, rotated.id);
    assert.ok(oldest?.revokedAt !== undefined);
  });

  it('shows the keys that have created, replaced and revoked each', async (t) => {
    const own = await startService(t);
    const { id, key } = await storeKey(own.store, ['*']);
    const till3 = await callsTo(own).create(till, key);
    const rotated = await own.call('POST', `/v1/keys/${till3.id}/rotate`, { body: {} });
    const { id: next, replaces } = rotated.json as RotatedKey;
    assert.equal(replaces.rotatedBy, await callsTo(own).currentId());
    assert.equal((await own.call('DELETE', `/v1/keys/${till3.id}`, { key })).status, 204);
    const authors = ((await own.call('GET', '/v1/keys')).json as Key[]).map(
      ({ id: of, createdBy, rotatedBy, revokedBy }) => [of, createdBy, rotatedBy, revokedBy],
    );
    assert.deepEqual(authors, [
      [next, await callsTo(own).currentId(), undefined, undefined],
      [till3.id, id, await callsTo(own).currentId(), id],
      [id, undefined, undefined, undefined],
    ]);
  });
});

describe('GET /keys/current', () => {
  it('describes the key of the request, whatever its scopes', async () => {
    const expiresAt = inDays(1);
    const { id, key } = await create({ name: 'sensor', scopes: ['metrics:read'], expiresAt });
    await accepted(key);
    const answer = await service.call('GET', '/v1/keys/current', { key });
    assert.deepEqual(answer.json, { id, name: 'sensor', scopes: ['metrics:read'], expiresAt });
    const configured = (await service.call('GET', '/v1/keys/current')).json as Key;
    assert.match(configured.id, /^env-[0-9a-f]{8}$/);
    assert.deepEqual(configured, { id: configured.id, name: configured.id, scopes: ['*'] });
    assertError(await service.call('GET', '/v1/keys/current', { key: null }), 401, 'unauthorized');
  });

  it('is a path of its own beside those of keys', async () => {
    assert.equal((await service.call('HEAD', '/v1/keys/current')).status, 200);
    assertError(await service.call('DELETE', '/v1/keys/current'), 404, 'key_not_found');
    assertError(await service.call('POST', '/v1/keys/current/rotate', { body: {} }), 404, 'key_not_found');
    const one = await service.call('GET', '/v1/keys/1');
    assertError(one, 405, 'method_not_allowed');
    assert.equal(header(one, 'allow'), 'PATCH, DELETE, OPTIONS');
  });
});
