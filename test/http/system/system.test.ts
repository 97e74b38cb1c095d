import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import type { Store } from '../../../src/store/store.ts';
import { assertError, header } from '../../support/assert.ts';
import { eventually } from '../../support/eventually.ts';
import { linesOf, settleLog } from '../../support/service/log.ts';
import { type CallOptions, KEY, startService, temporaryFolder } from '../../support/service/service.ts';
import { startServiceForFile } from '../../support/shared.ts';
import { AUTHORIZED, rawRequest } from '../../support/wire/raw-request.ts';
import { exchange, parseAnswer } from '../../support/wire/socket.ts';

const PRODUCTION = 'https://pets.example/v1';
const STAGING = 'https://staging.pets.example/v1';
const service = await startServiceForFile();
const urlsOf = (text: string) =>
  (JSON.parse(text) as { servers: { url: string }[] }).servers.map(({ url }) => url);

describe('The system operations', () => {
  for (const path of ['/healthz', '/readyz', '/openapi.json']) {
    it(`serve ${path} without a key and with any key`, async () => {
      for (const key of [null, KEY, 'wrong']) {
        const answer = await service.call('GET', path, { key });
        assert.equal(answer.status, 200);
        assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
        assert.equal(typeof answer.json, 'object');
      }
    });
  }

  it('answer /readyz with 503 and Retry-After while the store cannot write, and with 200 after that', async (t) => {
    const file = join(await temporaryFolder(t), 'pets.db');
    const service = await startService(t, { database: `sqlite:${file}` });
    const other = new DatabaseSync(file, { timeout: 5000 });
    t.after(() => other.close());
    other.exec('BEGIN IMMEDIATE');
    const answer = await service.call('GET', '/readyz', { key: null });
    assertError(answer, 503, 'unavailable');
    assert.match(answer.headers.get('retry-after') ?? '', /^\d+$/);
    assert.equal((await service.call('GET', '/healthz', { key: null })).status, 200);
    other.exec('ROLLBACK');
    const ready = async () => (await service.call('GET', '/readyz', { key: null })).status === 200;
    await eventually(ready, 'the service is ready');
  });

  it('answer every request for /readyz within a second by one probe, because it writes', async (t) => {
    let probes = 0;
    const observe = (store: Store): Store => ({ ...store, ready: async () => void probes++ });
    const { call } = await startService(t, { observe });
    const startedAt = performance.now();
    await Promise.all(Array.from({ length: 20 }, () => call('GET', '/readyz', { key: null })));
    assert.ok(probes <= 1 + (performance.now() - startedAt) / 1000, `${probes} probes`);
  });

  const deployments = [
    [{ baseUrl: PRODUCTION, stagingBaseUrl: STAGING }, [PRODUCTION, STAGING]],
    [{ baseUrl: PRODUCTION }, [PRODUCTION]],
    [{ stagingBaseUrl: STAGING }, ['./v1', STAGING]],
  ] as const;
  for (const [config, urls] of deployments) {
    it(`list the servers of ${Object.keys(config).join(' and ')} in /openapi.json`, async (t) => {
      const configured = await startService(t, { config });
      assert.deepEqual(urlsOf((await configured.call('GET', '/openapi.json')).text), urls);
    });
  }

  it('send /openapi.json compressed, and 304 to a client that has it', async () => {
    const get = (headers: Record<string, string>) => fetch(`${service.origin}/openapi.json`, { headers });
    const plain = await get({ 'accept-encoding': 'identity' });
    const compressed = await get({ 'accept-encoding': 'gzip, br' });
    assert.equal(plain.headers.get('content-encoding'), null);
    assert.equal(compressed.headers.get('content-encoding'), 'gzip');
    const [size, less] = [plain, compressed].map(({ headers }) => Number(headers.get('content-length')));
    assert.ok(Number(less) < Number(size) / 4, `${less} of ${size} bytes`);
    assert.equal(await compressed.text(), await plain.text());
    const etag = plain.headers.get('etag') ?? '';
    const again = await get({ 'if-none-match': etag });
    assert.deepEqual([again.status, again.headers.get('etag'), await again.text()], [304, etag, '']);
  });

  it('list a server relative to /openapi.json when none is configured, whatever the client calls the host', async () => {
    for (const head of ['1.1\r\nHost: other.example\r\nConnection: close', '1.0']) {
      const answer = parseAnswer(await exchange(service.port, `GET /openapi.json HTTP/${head}\r\n\r\n`));
      assert.deepEqual(urlsOf(answer.body), ['./v1']);
    }
  });
});

describe('X-Request-Id', () => {
  const idOf = async (sent: readonly string[], path = '/v1/pets') => {
    const headers = [AUTHORIZED, ...sent.map((id) => `X-Request-Id: ${id}`)];
    return header(await rawRequest(service.port, `GET ${path}`, headers), 'x-request-id') ?? '';
  };

  it('is taken from the client when it is valid', async () => {
    for (const id of ['7', 'abc-123_x.y:z', '3d2c6c0e-8a53-4c52-b6c1-0c8d9e0f1a2b', 'k'.repeat(128)])
      for (const path of ['/v1/pets', '/v1/nope', '/healthz']) assert.equal(await idOf([id], path), id);
  });

  it('is generated when it is missing, invalid or given twice', async () => {
    const invalid = ['', 'two words', '"quoted"', '<b>', '{"a":1}', 'é', 'k'.repeat(129)].map((id) => [id]);
    for (const sent of [[], ...invalid, ['a', 'b']]) {
      const made = [await idOf(sent), await idOf(sent, '/v1/nope'), await idOf(sent, '/healthz')];
      assert.equal(new Set(made).size, 3, 'every request gets its own');
      for (const id of made) assert.match(id, /^[\w-]{16,128}$/, String(sent));
    }
  });
});

describe('A request', () => {
  const SECRET = 'Bartholomew';
  const body = { name: SECRET, categoryId: 7, secret: SECRET };
  const pathOf = (path: string) => `${path}?note=${SECRET}`;
  const json = { 'content-type': 'application/json; charset=utf-8' };
  const differing = ['date', 'connection', 'keep-alive', 'content-length', 'etag'];
  const deprecated = {
    deprecation: '@1794614400',
    sunset: 'Thu, 05 Dec 2030 00:00:00 GMT',
    link: '<../pets>; rel="successor-version", <../../openapi.json>; rel="deprecation"; type="application/json"',
  };
  const requests: [string, string, CallOptions, number, Record<string, string>, Record<string, string>][] = [
    ['GET', '/v1/pets', {}, 200, json, { operation: 'listPets' }],
    ['HEAD', '/v1/pets', {}, 200, json, { operation: 'listPets' }],
    ['POST', '/v1/pets', { body }, 201, json, { operation: 'createPet' }],
    ['POST', '/v1/pets', { raw: `{"name":${SECRET}` }, 400, json, { operation: 'createPet' }],
    ['POST', '/v1/pets', { body: { name: [SECRET] } }, 400, json, { operation: 'createPet' }],
    ['GET', `/v1/pets/${SECRET}`, {}, 404, { ...json, ...deprecated }, { operation: 'getPet' }],
    ['GET', '/v1/nope', {}, 404, json, { path: '/v1/nope' }],
    ['PUT', '/v1/pets', { body }, 405, { ...json, allow: 'GET, HEAD, POST, OPTIONS' }, {}],
  ];
  it('has exactly these headers in its response, and these fields in its one line of the log', async () => {
    for (const [method, path, options, status, headers, fields] of requests) {
      const answer = await service.call(method, pathOf(path), options);
      const id = answer.headers.get('x-request-id');
      const sent = [...answer.headers].filter(([name]) => !differing.includes(name));
      assert.equal(answer.status, status);
      assert.deepEqual(Object.fromEntries(sent), { ...headers, 'x-request-id': id }, `${method} ${path}`);
      if (method !== 'HEAD')
        assert.equal(Number(answer.headers.get('content-length')), Buffer.byteLength(answer.text));
      await settleLog(service);
      const [{ time, ms, keyId, ...line } = {}, ...more] = await linesOf(service, answer);
      const common = { level: 30, requestId: id, method, status, address: '127.0.0.1', msg: 'request' };
      assert.deepEqual([line, more], [{ ...common, ...fields }, []]);
      assert.ok(typeof ms === 'number' && ms >= 0);
      assert.ok(Math.abs(Date.now() - Date.parse(String(time))) < 3_600_000);
      assert.match(String(keyId), /^env-\w+$/);
    }
  });
});

describe('A request with a malformed body', () => {
  it('has its id in the response, and its operation and key in its one log line', async () => {
    const lines = [
      'POST /v1/pets HTTP/1.1',
      'Host: a',
      AUTHORIZED,
      'X-Request-Id: mine-1',
      'Transfer-Encoding: chunked',
    ];
    const answer = parseAnswer(await exchange(service.port, `${lines.join('\r\n')}\r\n\r\nzz\r\n`));
    assertError(answer, 400, 'bad_request');
    assert.deepEqual([answer.headers['x-request-id'], answer.headers.connection], ['mine-1', 'close']);
    const logged = await linesOf(service, answer);
    assert.equal(logged.length, 1, JSON.stringify(logged));
    const { operation, status, method, keyId } = logged[0] ?? {};
    assert.deepEqual({ operation, status, method }, { operation: 'createPet', status: 400, method: 'POST' });
    assert.match(String(keyId), /^env-/);
  });
});
