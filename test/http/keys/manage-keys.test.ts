import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, it, type TestContext } from 'node:test';
import { digestOf, generateKey } from '../../../src/keys/format.ts';
import { assertError, header } from '../../support/assert.ts';
import { openStream } from '../../support/events/event-stream.ts';
import { eventually, eventuallyEqual } from '../../support/eventually.ts';
import { linesOf } from '../../support/service/log.ts';
import { type Answer, type CallOptions, temporaryFolder } from '../../support/service/service.ts';
import { startServiceForFile } from '../../support/shared.ts';
import { HOST } from '../../support/wire/conversation.ts';

interface Key {
  readonly id: string;
  readonly scopes: readonly string[];
  readonly expiresAt: string;
}
type CreatedKey = Key & { readonly key: string };
type RotatedKey = CreatedKey & { readonly replaces: Key };

const file = join(await temporaryFolder({ after }), 'pets.db');
const service = await startServiceForFile({ database: `sqlite:${file}` });
const { call, store } = service;

const till = { name: 'till 3', scopes: ['pets:read', 'store:write'] };
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

/** The result of a call that succeeds. */
async function resultOf<T>(
  status: number,
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<T> {
  const answer = await call(method, path, options);
  assert.equal(answer.status, status, answer.text);
  return answer.json as T;
}
const create = (scopes: readonly string[], key?: string) =>
  resultOf<CreatedKey>(201, 'POST', '/v1/keys', { body: { name: 'till', scopes }, ...(key && { key }) });
const list = () => resultOf<Key[]>(200, 'GET', '/v1/keys');
const statusOf = async (key: string, path = '/v1/keys/current') => (await call('GET', path, { key })).status;

/** The id of the configured key, which is not stored. */
const { id: configured } = await resultOf<Key>(200, 'GET', '/v1/keys/current');

/** Asserts that the log names the key that made a change, and the one that it changed. */
async function assertLogged(answer: Answer, keyId: string, targetKeyId: string): Promise<void> {
  const [line] = await linesOf(service, answer);
  assert.deepEqual([line?.keyId, line?.targetKeyId], [keyId, targetKeyId]);
}

describe('Keys over HTTP', () => {
  it('are created, listed, changed, rotated and revoked, with their authors, and each is in one response', async () => {
    // It works at once. The others are not used here: the service would record that at some time.
    const owner = await create(['*']);
    const expiresAt = inDays(90);
    const created = await call('POST', '/v1/keys', { body: { ...till, expiresAt } });
    assert.equal(created.status, 201, created.text);
    assert.equal(header(created, 'cache-control'), 'no-store');
    const { key, ...shown } = created.json as CreatedKey & { createdAt: string };
    const { id, createdAt } = shown;
    assert.deepEqual(shown, { id, ...till, createdAt, expiresAt, createdBy: configured });
    assert.match(key, /^anst_\w{36}$/);
    await assertLogged(created, configured, id);

    const changes = { name: 'till 4', scopes: ['pets:read'], expiresAt: inDays(30) };
    const changed = await call('PATCH', `/v1/keys/${id}`, { body: changes, key: owner.key });
    assert.equal(changed.status, 200, changed.text);
    assert.deepEqual(changed.json, { ...shown, ...changes, changedBy: owner.id });
    await assertLogged(changed, owner.id, id);

    const rotated = await call('POST', `/v1/keys/${id}/rotate`, { body: { overlap: '7d' } });
    assert.equal(rotated.status, 201, rotated.text);
    assert.equal(header(rotated, 'cache-control'), 'no-store');
    const { key: next, replaces, ...successor } = rotated.json as RotatedKey;
    assert.deepEqual(successor.scopes, ['pets:read']);
    const inOverlap = Date.parse(replaces.expiresAt) - Date.parse(inDays(7));
    assert.ok(inOverlap <= 0 && inOverlap > -60_000, replaces.expiresAt);
    await assertLogged(rotated, configured, id);

    const revoked = await call('DELETE', `/v1/keys/${id}`, { key: owner.key });
    assert.deepEqual([revoked.status, revoked.text], [204, '']);
    await assertLogged(revoked, owner.id, id);
    await eventuallyEqual(() => statusOf(key), 401);

    const at = new Date();
    await store.recordKeyUse([{ id, at }]);
    const { revokedAt } = (await store.listKeys()).find((one) => one.id === id) ?? assert.fail();
    const authors = { rotatedBy: configured, revokedBy: owner.id };
    const uses = { lastUsedAt: at.toISOString(), revokedAt: revokedAt?.toISOString() };
    const listed = await call('GET', '/v1/keys');
    assert.deepEqual((listed.json as Key[]).slice(0, 2), [successor, { ...replaces, ...authors, ...uses }]);
    const stored = `${await readFile(file, 'latin1')}${await readFile(`${file}-wal`, 'latin1')}`;
    for (const secret of [key, next]) {
      for (const text of [listed.text, changed.text, JSON.stringify(service.log)])
        assert.ok(!text.includes(secret) && !text.includes(digestOf(secret)));
      assert.ok(stored.includes(digestOf(secret)), 'the digest is stored');
      assert.ok(!stored.includes(secret.slice(5, 25)), 'the key is not');
    }
  });

  it('are listed newest first, in pages, also while keys are created', async () => {
    for (let n = 0; n < 8; n++) await create(['pets:read']);
    const ids = (await list()).map(({ id }) => id);
    const first = await call('GET', '/v1/keys?limit=4');
    await create(['pets:read']);
    const [, query] = /<([^>]*)>; rel="next"/.exec(header(first, 'link') ?? '') ?? [];
    const second = await resultOf<Key[]>(200, 'GET', `/v1/keys${query}`);
    const seen = [...(first.json as Key[]), ...second].map(({ id }) => id);
    assert.deepEqual(seen, ids.slice(0, 8));
    assertError(await call('GET', '/v1/keys?limit=0'), 400, 'invalid_parameter');
  });

  it('describe themselves, whatever their scopes', async () => {
    const body = { name: 'sensor', scopes: ['metrics:read'], expiresAt: inDays(1) };
    const { id, key } = await resultOf<CreatedKey>(201, 'POST', '/v1/keys', { body });
    assert.deepEqual(await resultOf(200, 'GET', '/v1/keys/current', { key }), { id, ...body });
    const current = await resultOf<Key>(200, 'GET', '/v1/keys/current');
    assert.deepEqual(current, { id: configured, name: configured, scopes: ['*'] });
    assert.ok(
      (await list()).every(({ id }) => id !== configured),
      'a configured key is not listed',
    );
  });

  it('are not created, changed or rotated with wrong values, or with an Idempotency-Key, as no secret is stored', async () => {
    const { id } = await create(['pets:read']);
    const before = await store.listKeys();
    const wrong = { name: 'a\nb', scopes: [], expiresAt: '2026-11-17' };
    const everyProblem = /^name must .*; scopes must .*; expiresAt must be a time/;
    for (const [method, path, body, message] of [
      ['POST', '/v1/keys', {}, /^name is required; scopes is required\.$/],
      ['POST', '/v1/keys', wrong, everyProblem],
      ['POST', '/v1/keys', { ...till, scopes: Array(5000).fill('x') }, /^scopes must be[^;]*$/],
      ['POST', '/v1/keys', { ...till, expiresAt: null }, /^expiresAt must be text/],
      ['PATCH', `/v1/keys/${id}`, wrong, everyProblem],
      ['PATCH', `/v1/keys/${id}`, {}, /^name, scopes or expiresAt is required\.$/],
      [
        'PATCH',
        `/v1/keys/${id}`,
        { scope: [] },
        /^scope is not known here: send name, scopes or expiresAt\.$/,
      ],
      ['POST', `/v1/keys/${id}/rotate`, { overlap: '1w' }, /^overlap must be a time such as 90d/],
      ['POST', `/v1/keys/${id}/rotate`, { overlpa: '1h' }, /^overlpa is not known here: send overlap\.$/],
    ] as const)
      assert.match(assertError(await call(method, path, { body }), 400, 'invalid_request'), message);
    for (const [path, body] of [
      ['/v1/keys', till],
      [`/v1/keys/${id}/rotate`, {}],
    ] as const) {
      const answer = await call('POST', path, { body, headers: { 'idempotency-key': 'k-1' } });
      assert.match(assertError(answer, 400, 'invalid_parameter'), /^Idempotency-Key cannot be used here/);
    }
    assert.deepEqual(await store.listKeys(), before);
  });

  it('are found by their exact id alone, and cannot be changed once they are revoked', async () => {
    const { id } = await create(['*']);
    const ids = ['0', `0${id}`, `${id}.0`, '9'.repeat(40), 'x', '%20', `${id}%00`, configured, 'current'];
    const update = (of: string) => call('PATCH', `/v1/keys/${of}`, { body: { name: 'x' } });
    const rotate = (of: string) => call('POST', `/v1/keys/${of}/rotate`, { body: {} });
    const revoke = (of: string) => call('DELETE', `/v1/keys/${of}`);
    for (const of of ids)
      for (const change of [update, rotate, revoke]) assertError(await change(of), 404, 'key_not_found');
    const one = await call('GET', `/v1/keys/${id}`);
    assertError(one, 405, 'method_not_allowed');
    assert.equal(header(one, 'allow'), 'PATCH, DELETE, OPTIONS');
    for (const _ of 'twice') assert.equal((await revoke(id)).status, 204);
    for (const change of [update, rotate])
      assert.match(assertError(await change(id), 409, 'key_not_active'), /is revoked: create a new one/);
  });

  it('give, take and gain no scope that the key of the request lacks, by any operation', async () => {
    const manager = await create(['keys:write', 'pets:read']);
    const [reader, admin] = [await create(['pets:read']), await create(['*'])];
    const before = await store.listKeys();
    const scopes = ['pets:read', 'store:write', 'events:read'];
    for (const [method, path, body, missing] of [
      ['POST', '/v1/keys', { name: 'no', scopes }, 'store:write events:read'],
      ['POST', '/v1/keys', { name: 'no', scopes: ['*'] }, '*'],
      ['PATCH', `/v1/keys/${reader.id}`, { scopes: ['pets:write'] }, 'pets:write'],
      ['PATCH', `/v1/keys/${manager.id}`, { scopes: ['*'] }, '*'],
      ['PATCH', `/v1/keys/${admin.id}`, { name: 'mine' }, '*'],
      ['POST', `/v1/keys/${admin.id}/rotate`, {}, '*'],
      ['DELETE', `/v1/keys/${admin.id}`, undefined, '*'],
    ] as const) {
      const answer = await call(method, path, { body, key: manager.key });
      assert.match(assertError(answer, 403, 'insufficient_scope'), /only keys whose scopes it has/);
      const challenge = `Bearer realm="animal-store", error="insufficient_scope", scope="${missing}"`;
      assert.equal(header(answer, 'www-authenticate'), challenge);
    }
    assert.deepEqual(await store.listKeys(), before);
    const rotated = await resultOf<RotatedKey>(201, 'POST', `/v1/keys/${manager.id}/rotate`, {
      body: {},
      key: manager.key,
    });
    assert.deepEqual(rotated.scopes, manager.scopes);
    await create(['pets:read', 'keys:read'], rotated.key);
    await resultOf(204, 'DELETE', `/v1/keys/${reader.id}`, { key: rotated.key });
  });

  it('change no key once their revocation is answered, even where they can still read', async () => {
    const { id, key } = await create(['keys:write']);
    const other = await create(['keys:read']);
    const invalid = await call('GET', '/v1/pets', { key: generateKey() });
    assert.equal((await call('DELETE', `/v1/keys/${id}`, { key })).status, 204, 'a key can revoke itself');
    const before = await store.listKeys();
    for (const [method, path, body] of [
      ['POST', '/v1/keys', { name: 'lasting', scopes: ['keys:write'] }],
      ['PATCH', `/v1/keys/${other.id}`, { name: 'mine' }],
      ['POST', `/v1/keys/${other.id}/rotate`, {}],
      ['DELETE', `/v1/keys/${other.id}`, undefined],
    ] as const) {
      const answer = await call(method, path, { key, body });
      assertError(answer, 401, 'unauthorized');
      assert.equal(answer.text, invalid.text);
      assert.equal(header(answer, 'www-authenticate'), header(invalid, 'www-authenticate'));
      const [line] = await linesOf(service, answer);
      assert.deepEqual([line?.keyId, line?.refusal], [id, 'revoked']);
    }
    assert.deepEqual(await store.listKeys(), before);
  });

  it('lose what is taken from them: requests get 403, and a stream of events ends', async (t) => {
    const { id, key } = await create(['events:read', 'pets:write']);
    const head = `${HOST}Authorization: Bearer ${key}\r\n`;
    const stream = await openStream(t, service.port, { head });
    assert.equal(stream.answer.status, 200);
    await resultOf(200, 'PATCH', `/v1/keys/${id}`, { body: { scopes: ['pets:read'], expiresAt: null } });
    await eventually(() => stream.isClosed, 'the stream ends');
    const body = { name: 'Rex', categoryId: 1 };
    assertError(await call('POST', '/v1/pets', { body, key }), 403, 'insufficient_scope');
    assert.equal(await statusOf(key, '/v1/pets'), 200);
  });
});

describe('While requests run', () => {
  /** Sends requests with a key until the test stops it, which returns their statuses. */
  async function sendWith(t: TestContext, key: string) {
    const statuses = new Set<number>();
    let isRunning = true;
    const loop = async () => {
      while (isRunning) statuses.add(await statusOf(key, '/v1/pets'));
    };
    const loops = [loop(), loop(), loop()];
    const stop = async () => {
      isRunning = false;
      await Promise.all(loops);
      return [...statuses];
    };
    t.after(stop);
    await eventually(() => statuses.size > 0, 'requests are answered');
    return { statuses, stop };
  }

  it('a rotation refuses none of them, and a revocation those of its key alone', async (t) => {
    const { id, key } = await create(['pets:read']);
    const withOld = await sendWith(t, key);
    const { key: newKey } = await resultOf<RotatedKey>(201, 'POST', `/v1/keys/${id}/rotate`, { body: {} });
    const withNew = await sendWith(t, newKey);
    assert.deepEqual([...withOld.statuses], [200]);
    await resultOf(204, 'DELETE', `/v1/keys/${id}`);
    await eventually(() => withOld.statuses.has(401), 'a request is refused');
    for (let n = 0; n < 20; n++) assert.equal(await statusOf(key), 401, 'accepted again');
    assert.deepEqual(await withOld.stop(), [200, 401]);
    assert.deepEqual(await withNew.stop(), [200]);
  });
});
