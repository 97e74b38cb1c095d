import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import type { Scope } from '../../../src/contract/scope.ts';
import { digestOf, generateKey } from '../../../src/keys/format.ts';
import { openStore } from '../../../src/store/open.ts';
import { assertError, header } from '../../support/assert.ts';
import { eventually, eventuallyEqual } from '../../support/eventually.ts';
import { linesOf } from '../../support/service/log.ts';
import { KEY, type Service, startService, temporaryFolder } from '../../support/service/service.ts';
import { storeKey } from '../../support/service/stored-key.ts';
import { startServiceForFile } from '../../support/shared.ts';

interface Key {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly createdAt: string;
  readonly expiresAt?: string;
  readonly revokedAt?: string;
  readonly lastUsedAt?: string;
  readonly replacedBy?: string;
  readonly createdBy?: string;
  readonly rotatedBy?: string;
  readonly revokedBy?: string;
}
type CreatedKey = Key & { readonly key: string };
type RotatedKey = CreatedKey & { readonly replaces: Key };

const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
const till = { name: 'till 3', scopes: ['pets:read', 'store:write'] };

const service = await startServiceForFile();

const create = async (body: object, key = KEY, by: Service = service): Promise<CreatedKey> => {
  const answer = await by.call('POST', '/v1/keys', { body, key });
  assert.equal(answer.status, 201, answer.text);
  return answer.json as CreatedKey;
};
const isAccepted = async (key: string) =>
  (await service.call('GET', '/v1/keys/current', { key })).status === 200;
const accepted = (key: string) => eventually(() => isAccepted(key), 'the key is accepted');
const refused = (key: string) => eventually(async () => !(await isAccepted(key)), 'the key is refused');

/** A key with these scopes that the service knows already. */
async function keyWith(...scopes: Scope[]): Promise<{ id: string; key: string }> {
  const stored = await storeKey(service.store, scopes);
  await accepted(stored.key);
  return stored;
}

/** The id of the configured key, which is not stored. */
const currentId = async (by: Service = service): Promise<string> =>
  ((await by.call('GET', '/v1/keys/current')).json as Key).id;

const listed = async (id: string): Promise<Key | undefined> =>
  ((await service.call('GET', '/v1/keys?limit=100')).json as Key[]).find((key) => key.id === id);

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
    const { id, key } = await create(till, KEY, own);
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

describe('GET /keys', () => {
  it('lists them newest first, in pages, also while keys are created', async (t) => {
    const own = await startService(t);
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) ids.unshift((await create(till, KEY, own)).id);
    const seen: string[] = [];
    for (let path: string | undefined = '/v1/keys?limit=2'; path !== undefined; ) {
      const answer = await own.call('GET', path);
      seen.push(...(answer.json as Key[]).map(({ id }) => id));
      await create(till, KEY, own);
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
    const till3 = await create(till, key, own);
    const rotated = await own.call('POST', `/v1/keys/${till3.id}/rotate`, { body: {} });
    const { id: next, replaces } = rotated.json as RotatedKey;
    assert.equal(replaces.rotatedBy, await currentId(own));
    assert.equal((await own.call('DELETE', `/v1/keys/${till3.id}`, { key })).status, 204);
    const authors = ((await own.call('GET', '/v1/keys')).json as Key[]).map(
      ({ id: of, createdBy, rotatedBy, revokedBy }) => [of, createdBy, rotatedBy, revokedBy],
    );
    assert.deepEqual(authors, [
      [next, await currentId(own), undefined, undefined],
      [till3.id, id, await currentId(own), id],
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
    const by = await currentId(own);
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

describe('POST /keys/{keyId}/rotate', () => {
  const rotate = (id: string, body: object = {}, key = KEY) =>
    service.call('POST', `/v1/keys/${id}/rotate`, { body, key });

  it('creates a key with the same name, scopes and lifetime; the old one works until the overlap ends', async () => {
    const old = await create({ ...till, expiresAt: inDays(30) });
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

interface Requests {
  /** The outcomes so far. */
  readonly outcomes: Set<string | number>;
  stop(): Promise<void>;
}

/** Sends requests with a key until the test ends. */
async function sendWith(t: TestContext, key: string): Promise<Requests> {
  const outcomes: Requests['outcomes'] = new Set();
  let running = true;
  const loop = async () => {
    while (running) {
      const { status } = await service.call('GET', '/v1/pets', { key });
      // 429: too many requests with a wrong key.
      if (status === 401 || status === 429) outcomes.add('refused');
      else outcomes.add(status);
    }
  };
  const loops = [loop(), loop(), loop()];
  const stop = async () => {
    running = false;
    await Promise.all(loops);
  };
  t.after(stop);
  await eventually(() => outcomes.size > 0, 'requests are answered');
  return { outcomes, stop };
}

describe('While requests run', () => {
  it('a rotation refuses none of them, with the old key or the new one', async (t) => {
    const { id, key } = await keyWith('pets:read');
    const withOld = await sendWith(t, key);
    const rotated = await service.call('POST', `/v1/keys/${id}/rotate`, { body: {} });
    const { key: newKey } = rotated.json as RotatedKey;
    await accepted(newKey);
    const withNew = await sendWith(t, newKey);
    for (const { outcomes, stop } of [withOld, withNew]) {
      await stop();
      assert.deepEqual(outcomes, new Set([200]));
    }
  });

  it('a revocation refuses all of them from then on, and those of no other key', async (t) => {
    const [gone, other] = [await keyWith('pets:read'), await keyWith('pets:read')];
    const [withGone, withOther] = [await sendWith(t, gone.key), await sendWith(t, other.key)];
    await service.call('DELETE', `/v1/keys/${gone.id}`);
    await eventually(() => withGone.outcomes.has('refused'), 'a request is refused');
    for (let n = 0; n < 50; n++) assert.ok(!(await isAccepted(gone.key)), 'accepted again');
    await withGone.stop();
    await withOther.stop();
    assert.deepEqual(withGone.outcomes, new Set([200, 'refused']));
    assert.deepEqual(withOther.outcomes, new Set([200]));
  });

  it('of revocations and rotations of a key at once, each is done or refused as a whole', async () => {
    for (let n = 0; n < 10; n++) {
      const { id } = await storeKey(service.store, ['pets:read']);
      const revoke = () => service.call('DELETE', `/v1/keys/${id}`);
      const rotate = () => service.call('POST', `/v1/keys/${id}/rotate`, { body: {} });
      const [a, b, c, d] = await Promise.all([rotate(), revoke(), rotate(), revoke()]);
      const rotations = [a, c].map(({ status }) => status).sort();
      assert.deepEqual(
        [b, d].map(({ status }) => status),
        [204, 204],
      );
      assert.ok(['201,409', '409,409'].includes(rotations.join()), rotations.join());
      const old = await listed(id);
      assert.ok(old?.revokedAt !== undefined, 'the old key is revoked');
      assert.equal(old.replacedBy !== undefined, rotations.includes(201));
    }
  });
});
