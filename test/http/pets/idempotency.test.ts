import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it, type TestContext } from 'node:test';
import { type Operation, takesIdempotencyKey } from '../../../src/contract/operation.ts';
import { operations } from '../../../src/contract/operations/all.ts';
import { assertError } from '../../support/assert.ts';
import {
  type Answer,
  type CallOptions,
  KEY,
  startService,
  temporaryFolder,
} from '../../support/service/service.ts';
import { startServiceForFile } from '../../support/shared.ts';
import { AUTHORIZED, rawRequest } from '../../support/wire/raw-request.ts';

const OTHER_KEY = 'second-key-of-the-suite';
const service = await startServiceForFile({ config: { apiKeys: [KEY, OTHER_KEY] } });
const REX = { name: 'Rex', categoryId: 7 };

function create(idempotencyKey: string, options: CallOptions = {}): Promise<Answer> {
  return service.call('POST', '/v1/pets', {
    body: REX,
    ...options,
    headers: { 'idempotency-key': idempotencyKey },
  });
}

function assertFirst(answer: Answer): void {
  assert.equal(answer.status, 201, answer.text);
  assert.equal(answer.headers.get('idempotent-replayed'), null);
}

function assertReplay(answer: Answer, first: Answer): void {
  assert.equal(answer.status, 201, answer.text);
  assert.equal(answer.text, first.text);
  assert.equal(answer.headers.get('content-type'), first.headers.get('content-type'));
  assert.equal(answer.headers.get('idempotent-replayed'), 'true');
}

describe('Idempotency-Key on POST /v1/pets', () => {
  it('is the same key bare or quoted, and has up to 255 characters', async () => {
    for (const key of ['x', randomUUID(), 'k'.repeat(255), '!#$%&()*+-./:;<=>?@[]^_`{|}~']) {
      const first = await create(key);
      assertFirst(first);
      assertReplay(await create(`"${key}"`), first);
      assertReplay(await create(key), first);
    }
    const escaped = await create('"a\\"b\\\\c d"');
    assertFirst(escaped);
    assertReplay(await create('"a\\"b\\\\c d"'), escaped);
    assertFirst(await create('X'));
  });

  it('is refused when it is empty, too long, malformed or given twice', async () => {
    const long = [['k'.repeat(256)], [`"${'k'.repeat(255)}\\""`]];
    for (const keys of [
      [''],
      ['""'],
      ['"open'],
      ['two words'],
      ['"a"b'],
      ['schlüssel'],
      ['twice', 'twice'],
      ...long,
    ]) {
      const headers = [AUTHORIZED, ...keys.map((key) => `Idempotency-Key: ${key}`)];
      const answer = await rawRequest(service.port, 'POST /v1/pets', headers, JSON.stringify(REX));
      const rule = long.includes(keys)
        ? 'have at most 255 characters, not 256'
        : 'be given once, with 1 to 255 ';
      const message = assertError(answer, 400, 'invalid_parameter');
      assert.ok(message.startsWith(`Idempotency-Key must ${rule}`), message);
    }
    assertFirst(await create('twice'));
  });

  it('is refused when it is what Postman fills in after an import', async () => {
    assert.match(assertError(await create('<string>'), 400, 'invalid_parameter'), /leave the header out/);
  });

  it('is reported together with every problem of the body', async () => {
    const message = assertError(await create('""', { body: {} }), 400, 'invalid_request');
    for (const name of [/Idempotency-Key/, /name /, /categoryId /]) assert.match(message, name);
  });

  it('is not used up by a refused request', async () => {
    const key = randomUUID();
    assertError(await create(key, { body: { name: 'Rex' } }), 400, 'invalid_request');
    assertError(await create(key, { key: 'wrong' }), 401, 'unauthorized');
    const first = await create(key);
    assertFirst(first);
    assertError(await create(key, { raw: '{' }), 400, 'invalid_request');
    assertReplay(await create(key), first);
  });

  it('belongs to the API key that sent it', async () => {
    const key = randomUUID();
    const mine = await create(key);
    const theirs = await create(key, { key: OTHER_KEY, body: { ...REX, name: 'Ada' } });
    assertFirst(theirs);
    assert.notEqual(theirs.text, mine.text);
    assertReplay(await create(key), mine);
  });
});

/** A request for each operation that changes something, on animals and a category of its own. */
async function requestsOf(): Promise<Record<string, [method: string, path: string, body?: object]>> {
  const add = async (): Promise<number> =>
    ((await service.call('POST', '/v1/pets', { body: REX })).json as { id: number }).id;
  const [updated, removed, restored, ordered, other, category] = await Promise.all(
    Array.from({ length: 6 }, add),
  );
  await service.call('DELETE', `/v1/pets/${restored}`);
  await service.call('PUT', `/v1/categories/${category}`, { body: { name: `Category ${category}` } });
  const order = await service.call('POST', '/v1/store/orders', { body: { petId: other } });
  return {
    createPet: ['POST', '/pets', REX],
    createPets: ['POST', '/pets/batch', { pets: [REX, REX] }],
    updatePet: ['PATCH', `/pets/${updated}`, { name: 'Tom' }],
    removePet: ['DELETE', `/pets/${removed}?reason=died`],
    restorePet: ['POST', `/pets/${restored}/restore`],
    createOrder: ['POST', '/store/orders', { petId: ordered, status: 'completed' }],
    updateOrder: ['PATCH', `/store/orders/${(order.json as { id: number }).id}`, { status: 'cancelled' }],
    createCategory: ['POST', '/categories', { name: `New ${category}` }],
    setCategory: ['PUT', `/categories/${Number(category) + 1_000_000}`, { name: `Named ${category}` }],
    removeCategory: ['DELETE', `/categories/${category}`],
  };
}

describe('Idempotency-Key on every change', () => {
  it('replays the status, the body and the entity tag of the first response', async () => {
    const requests = await requestsOf();
    const changing = Object.values<Operation>(operations).filter(takesIdempotencyKey);
    assert.deepEqual(Object.keys(requests).sort(), changing.map(({ id }) => id).sort());
    for (const [id, [method, path, body]] of Object.entries(requests)) {
      const send = () =>
        service.call(method, `/v1${path}`, { body, headers: { 'idempotency-key': `every-${id}` } });
      const [first, again] = [await send(), await send()];
      assert.ok(first.status < 300, `${id}: ${first.text}`);
      assert.equal(first.headers.get('idempotent-replayed'), null, id);
      assert.deepEqual([again.status, again.text], [first.status, first.text], id);
      assert.equal(again.headers.get('idempotent-replayed'), 'true', id);
      for (const name of ['etag', 'content-type', 'location'])
        assert.equal(again.headers.get(name), first.headers.get(name), `${id}: ${name}`);
    }
  });

  it('gets 422 for a request that differs in its method, path, query, condition or body', async () => {
    const { updatePet: [, path] = [], ...others } = await requestsOf();
    const headers = { 'idempotency-key': randomUUID() };
    const body = { name: 'Tom' };
    const first = await service.call('PATCH', `/v1${path}`, { body, headers });
    assert.equal(first.status, 200);
    const different: [method: string, path: string | undefined, options: CallOptions][] = [
      ['DELETE', path, { headers }],
      ['PATCH', others.removePet?.[1].replace('?reason=died', ''), { body, headers }],
      ['PATCH', path, { body: { name: 'Tim' }, headers }],
      ['PATCH', path, { body, headers: { ...headers, 'if-match': '*' } }],
      ['POST', '/pets', { body: REX, headers }],
    ];
    for (const [method, target, options] of different)
      assertError(await service.call(method, `/v1${target}`, options), 422, 'idempotency_key_reused');
    const remove = (query: string) =>
      service.call('DELETE', `/v1${path}${query}`, { headers: { 'idempotency-key': `remove${path}` } });
    assert.equal((await remove('?reason=died')).status, 204);
    assertError(await remove('?reason=sold'), 422, 'idempotency_key_reused');
    assertError(await remove(''), 422, 'idempotency_key_reused');
    assert.equal((await remove('?reason=died')).status, 204);
  });
});

describe('The stored Idempotency-Key', () => {
  const HOUR_MS = 3_600_000;
  async function start(t: TestContext) {
    const file = join(await temporaryFolder(t), 'pets.db');
    const { call } = await startService(t, { database: `sqlite:${file}` });
    const db = new DatabaseSync(file, { timeout: 10_000 });
    t.after(() => db.close());
    const create = (key: string, name = 'Rex') =>
      call('POST', '/v1/pets', { body: { ...REX, name }, headers: { 'idempotency-key': key } });
    const age = (ms: number) => db.prepare('UPDATE idempotency_keys SET created_at = created_at - ?').run(ms);
    return { call, db, create, age };
  }

  it('of an earlier version is still known: a create has the fingerprint that it always had', async (t) => {
    const { call, db } = await start(t);
    const creates: [path: string, body: object, fingerprint: string][] = [
      ['/pets', REX, 'e5DfjhuyJ7WOwm3QJdbUMBsqRJryiHsrJXbWDnBm8dk'],
      ['/pets/batch', { pets: [REX] }, 'OREnfb9NSL7E3g1Dgvz5WvYbHOgMnteDPdWn7z1Mkmk'],
      ['/store/orders', { petId: 1, note: 'Ms Lee' }, 'yXSE9TpU4yE7uJYV-u7yMnSII56bSjzuOrZiVtKuERc'],
      ['/categories', { name: 'Dogs' }, 'WMY8ACHnJWgVI1ng6YHZ4yqUrIVyMxXscON4Fuvodz4'],
    ];
    for (const [path, body, fingerprint] of creates) {
      const headers = { 'idempotency-key': path };
      assert.equal((await call('POST', `/v1${path}`, { body, headers })).status, 201);
      const stored = db.prepare('SELECT fingerprint FROM idempotency_keys WHERE key = ?').get(path);
      assert.equal(stored?.fingerprint, fingerprint, path);
    }
  });

  it('is valid for 24 hours and can be used again after that', async (t) => {
    const { create, age } = await start(t);
    const first = await create('k');
    age(24 * HOUR_MS - 60_000);
    assertReplay(await create('k'), first);
    assertError(await create('k', 'Ada'), 422, 'idempotency_key_reused');
    age(60_000);
    const again = await create('k', 'Ada');
    assertFirst(again);
    assert.equal(again.text, '{"id":2,"name":"Ada","categoryId":7,"status":"available"}');
    assertReplay(await create('k', 'Ada'), again);
  });
});
