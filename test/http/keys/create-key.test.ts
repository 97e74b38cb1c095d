import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { digestOf } from '../../../src/keys/format.ts';
import { assertError, header } from '../../support/assert.ts';
import { startService, temporaryFolder } from '../../support/service/service.ts';
import { startServiceForFile } from '../../support/shared.ts';
import { type CreatedKey, callsTo, inDays, type Key, type RotatedKey, till } from './support.ts';

const service = await startServiceForFile();
const { create, currentId, keyWith, listed } = callsTo(service);

describe('POST /keys', () => {
  it('creates a key, which is in this response only and works at once', async () => {
    const expiresAt = inDays(90);
    const answer = await service.call('POST', '/v1/keys', { body: { ...till, expiresAt } });
    assert.equal(answer.status, 201);
    assert.equal(header(answer, 'cache-control'), 'no-store');
    const { id, key, createdAt, createdBy, ...rest } = answer.json as CreatedKey;
    assert.deepEqual(rest, { ...till, expiresAt });
    assert.equal(createdBy, await currentId());
    assert.match(key, /^anst_\w{36}$/);
    assert.ok(Math.abs(Date.parse(createdAt) - Date.now()) < 60_000);
    assert.equal((await service.call('GET', '/v1/pets', { key })).status, 200);
    assertError(await service.call('GET', '/v1/keys', { key }), 403, 'insufficient_scope');
    const { lastUsedAt, ...shown } = (await listed(id)) as Key;
    assert.deepEqual(shown, { id, ...till, createdAt, createdBy, expiresAt });
    const { text } = await service.call('GET', '/v1/keys');
    assert.ok(!text.includes(key) && !text.includes('digest'), 'neither the key nor its digest');
    assert.ok(!JSON.stringify(service.log).includes(key), 'not in the log');
  });

  it('stores the digest of the key and nothing else of it', async (t) => {
    const file = join(await temporaryFolder(t), 'pets.db');
    const own = await startService(t, { database: `sqlite:${file}` });
    const { id, key } = await callsTo(own).create(till);
    const rotated = await own.call('POST', `/v1/keys/${id}/rotate`, { body: {} });
    const keys = [key, (rotated.json as RotatedKey).key];
    const stored = `${await readFile(file, 'latin1')}${await readFile(`${file}-wal`, 'latin1')}`;
    for (const one of keys) {
      assert.ok(stored.includes(digestOf(one)), 'the digest is stored');
      assert.ok(!stored.includes(one.slice(5, 25)), 'the key is not');
    }
  });

  it('puts the scopes in one order, and keeps any printable name byte for byte', async () => {
    const names = [
      '<script>alert(1)</script>',
      '"; DROP TABLE api_keys; --',
      'Kasse 3 – été 🐕‍🦺',
      ' till ',
      '\\u0000',
    ];
    for (const name of names) {
      const created = await create({ name, scopes: ['store:read', 'pets:read'] });
      assert.deepEqual([created.name, created.scopes], [name, ['pets:read', 'store:read']]);
      assert.equal((await listed(created.id))?.name, name);
    }
  });

  const invalid: readonly (readonly [what: string, body: object, message: RegExp])[] = [
    ['nothing', {}, /^name is required; scopes is required\.$/],
    ['no scopes', { name: 'till 3' }, /^scopes is required/],
    ['an empty list', { ...till, scopes: [] }, /^scopes must be \* alone, or one or more of pets:read, /],
    ['text', { ...till, scopes: 'pets:read' }, /^scopes must be/],
    ['an unknown scope', { ...till, scopes: ['pets:read', 'pets:delete'] }, /^scopes must be/],
    ['a scope twice', { ...till, scopes: ['pets:read', 'pets:read'] }, /^scopes must be/],
    ['* with another', { ...till, scopes: ['*', 'pets:read'] }, /^scopes must be/],
    ['a scope in another case', { ...till, scopes: ['Pets:Read'] }, /^scopes must be/],
    ['any', { ...till, scopes: ['any'] }, /^scopes must be/],
    ['ten thousand scopes', { ...till, scopes: Array(5000).fill('x') }, /^scopes must be[^;]*$/],
    ['an empty name', { ...till, name: '' }, /^name must be 1 to 100 printable characters/],
    ['white space', { ...till, name: ' \u00a0 ' }, /^name must be/],
    ['a line break', { ...till, name: 'till\n3' }, /^name must be/],
    ['an escape sequence', { ...till, name: '\u001b[2Jtill' }, /^name must be/],
    ['a text direction', { ...till, name: 'till \u202e3' }, /^name must be/],
    ['a mark of direction', { ...till, name: 'till \u200f3' }, /^name must be/],
    ['nothing to see', { ...till, name: '\u200b\ufeff\u3164' }, /^name must be/],
    ['a lone surrogate', { ...till, name: '\ud800' }, /^name must be/],
    ['a long name', { ...till, name: 'x'.repeat(101) }, /^name must be/],
    ['a number as name', { ...till, name: 3 }, /^name must be text/],
    ['an expiry in the past', { ...till, expiresAt: inDays(-1) }, /^expiresAt must be in the future/],
    ['a date alone', { ...till, expiresAt: '2030-01-01' }, /^expiresAt must be a time with its offset/],
    ...['2031-02-30', '2031-13-01', '2031-00-10', '2031-01-32', '2031-12-99'].map(
      (day): [string, object, RegExp] => [
        `no such day as ${day}`,
        { ...till, expiresAt: `${day}T00:00:00Z` },
        /^expiresAt must be a time/,
      ],
    ),
    [
      'a moment of the year 10000',
      { ...till, expiresAt: '9999-12-31T23:59:59.999999999-23:59' },
      /^expiresAt must be a time/,
    ],
    ['a time as number', { ...till, expiresAt: 4102444800 }, /^expiresAt must be text/],
    ['no expiry as null', { ...till, expiresAt: null }, /^expiresAt must be text/],
  ];
  for (const [what, body, message] of invalid) {
    it(`is 400 for ${what}`, async () => {
      const answer = await service.call('POST', '/v1/keys', { body });
      assert.match(assertError(answer, 400, 'invalid_request'), message);
    });
  }

  it('reads an expiry in any offset', async () => {
    const { expiresAt } = await create({ ...till, expiresAt: '2099-12-31T23:30:00.5+05:30' });
    assert.equal(expiresAt, '2099-12-31T18:00:00.500Z');
  });

  it('reads the latest expiry that a time of four digits for the year can name', async () => {
    const { expiresAt } = await create({ ...till, expiresAt: '9999-12-31T23:59:59.999Z' });
    assert.equal(expiresAt, '9999-12-31T23:59:59.999Z');
  });

  it('refuses an Idempotency-Key, because the secret is not stored', async () => {
    const headers = { 'idempotency-key': 'k-1' };
    const before = (await service.store.listKeys()).length;
    const { id } = await keyWith('pets:read');
    for (const [path, body] of [
      ['/v1/keys', till],
      [`/v1/keys/${id}/rotate`, {}],
    ] as const) {
      const answer = await service.call('POST', path, { body, headers });
      assert.match(assertError(answer, 400, 'invalid_parameter'), /^Idempotency-Key cannot be used here/);
    }
    assert.equal((await service.store.listKeys()).length, before + 1, 'nothing was created');
  });

  it('gives only scopes that the creating key has; writing includes reading', async () => {
    const { key } = await keyWith('keys:write', 'pets:write');
    for (const scopes of [['pets:read'], ['pets:write', 'keys:read'], ['keys:write']])
      await create({ name: 'ok', scopes }, key);
    const tries = [['store:read'], ['pets:read', 'store:write', 'events:read'], ['*']];
    for (const scopes of tries) {
      const answer = await service.call('POST', '/v1/keys', { body: { name: 'no', scopes }, key });
      const missing = scopes.filter((scope) => scope !== 'pets:read');
      assert.match(assertError(answer, 403, 'insufficient_scope'), /only keys whose scopes it has/);
      assert.equal(
        header(answer, 'www-authenticate'),
        `Bearer realm="animal-store", error="insufficient_scope", scope="${missing.join(' ')}"`,
      );
    }
    assert.ok((await service.store.listKeys()).every(({ name }) => name !== 'no'));
  });

  it('gives * only from *, and not from all scopes together', async () => {
    const { key } = await keyWith('pets:write', 'store:write', 'events:read', 'metrics:read', 'keys:write');
    const body = { name: 'all', scopes: ['*'] };
    assertError(await service.call('POST', '/v1/keys', { body, key }), 403, 'insufficient_scope');
    const full = await keyWith('*');
    assert.deepEqual((await create(body, full.key)).scopes, ['*']);
  });
});
