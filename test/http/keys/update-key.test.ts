import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertError } from '../../support/assert.ts';
import { openStream } from '../../support/events/event-stream.ts';
import { eventually } from '../../support/eventually.ts';
import { KEY, type Service, startService } from '../../support/service/service.ts';
import { HOST } from '../../support/wire/conversation.ts';

interface Key {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly key: string;
  readonly changedBy?: string;
  readonly expiresAt?: string;
}

const create = async (service: Service, scopes: readonly string[], key = KEY): Promise<Key> =>
  (await service.call('POST', '/v1/keys', { body: { name: 'till', scopes }, key })).json as Key;

const change = (service: Service, { id }: Pick<Key, 'id'>, body: object, key = KEY) =>
  service.call('PATCH', `/v1/keys/${id}`, { body, key });

describe('PATCH /v1/keys/{keyId}', () => {
  it('renames and narrows a key, which every request then notices, and says who did it', async (t) => {
    const service = await startService(t);
    const admin = await create(service, ['*']);
    const till = await create(service, ['pets:write', 'store:read']);
    const answer = await change(service, till, { name: 'till 2', scopes: ['pets:read'] }, admin.key);
    assert.equal(answer.status, 200, answer.text);
    const { key, ...shown } = till;
    assert.deepEqual(answer.json, {
      ...shown,
      name: 'till 2',
      scopes: ['pets:read'],
      changedBy: admin.id,
    });
    assert.ok(!answer.text.includes(key), 'the key itself is not shown');
    const body = { name: 'Rex', categoryId: 1 };
    await eventually(async () => {
      const refused = await service.call('POST', '/v1/pets', { body, key });
      return refused.status === 403;
    }, 'the key has lost its scope');
    const current = (await service.call('GET', '/v1/keys/current', { key })).json as Key;
    assert.deepEqual([current.name, current.scopes], ['till 2', ['pets:read']]);
    const line = service.log.find(({ operation }) => operation === 'updateKey');
    assert.deepEqual([line?.keyId, line?.targetKeyId], [admin.id, till.id]);
  });

  it('sets an expiry and takes it away', async (t) => {
    const service = await startService(t);
    const till = await create(service, ['pets:read']);
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    assert.equal(((await change(service, till, { expiresAt })).json as Key).expiresAt, expiresAt);
    assert.equal('expiresAt' in ((await change(service, till, { expiresAt: null })).json as Key), false);
  });

  it('ends the stream of a key that may no longer read events', async (t) => {
    const service = await startService(t);
    const till = await create(service, ['events:read', 'pets:read']);
    const head = `${HOST}Authorization: Bearer ${till.key}\r\n`;
    const stream = await openStream(t, service.port, { head });
    assert.equal(stream.answer.status, 200);
    assert.equal((await change(service, till, { scopes: ['pets:read'] })).status, 200);
    await eventually(() => stream.isClosed, 'the stream ends');
  });

  it('gives and takes nothing that the key of the request lacks', async (t) => {
    const service = await startService(t);
    const manager = await create(service, ['keys:write', 'pets:read']);
    const reader = await create(service, ['pets:read']);
    const admin = await create(service, ['*']);
    for (const [target, body] of [
      [reader, { scopes: ['pets:write'] }],
      [reader, { scopes: ['*'] }],
      [manager, { scopes: ['*'] }],
      [admin, { scopes: ['pets:read'] }],
      [admin, { name: 'mine' }],
      [admin, { expiresAt: new Date(Date.now() + 60_000).toISOString() }],
    ] as const)
      assertError(await change(service, target, body, manager.key), 403, 'insufficient_scope');
    assertError(await change(service, reader, { name: 'x' }, reader.key), 403, 'insufficient_scope');
    assert.equal((await change(service, reader, { name: 'mine' }, manager.key)).status, 200);
  });

  it('names every problem, and refuses keys that do not exist or no longer work', async (t) => {
    const service = await startService(t);
    const till = await create(service, ['pets:read']);
    const refused = await change(service, till, { name: ' ', scopes: [], expiresAt: '2026-11-17' });
    assert.match(
      assertError(refused, 400, 'invalid_request'),
      /^name must .*; scopes must .*; expiresAt must be a time/,
    );
    const past = await change(service, till, { expiresAt: '2020-01-01T00:00:00Z' });
    assert.match(assertError(past, 400, 'invalid_request'), /^expiresAt must be in the future/);
    assertError(await change(service, { id: '999' }, { name: 'x' }), 404, 'key_not_found');
    assertError(await change(service, { id: 'env-1234abcd' }, { name: 'x' }), 404, 'key_not_found');
    await service.call('DELETE', `/v1/keys/${till.id}`);
    assertError(await change(service, till, { name: 'x' }), 409, 'key_not_active');
    for (const [body, problem] of [
      [{}, 'name, scopes or expiresAt is required.'],
      [{ scope: ['pets:read'] }, 'scope is not known here: send name, scopes or expiresAt.'],
    ] as const)
      assert.equal(assertError(await change(service, till, body), 400, 'invalid_request'), problem);
  });
});
