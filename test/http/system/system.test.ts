import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { assertError, header } from '../../support/assert.ts';
import { eventually } from '../../support/eventually.ts';
import { linesOf, settleLog } from '../../support/service/log.ts';
import { type Answer, KEY, startService, temporaryFolder } from '../../support/service/service.ts';
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

  for (const id of ['7', 'abc-123_x.y:z', '3d2c6c0e-8a53-4c52-b6c1-0c8d9e0f1a2b', 'k'.repeat(128)]) {
    it(`is taken from the client when it is valid: ${id.slice(0, 40)}`, async () => {
      for (const path of ['/v1/pets', '/v1/nope', '/healthz']) assert.equal(await idOf([id], path), id);
    });
  }

  const insane = [
    [],
    [''],
    ['two words'],
    ['"quoted"'],
    ['<b>'],
    ['{"a":1}'],
    ['é'],
    ['k'.repeat(1000)],
    ['a', 'b'],
  ];
  for (const sent of insane) {
    it(`is generated when the client sends ${JSON.stringify(sent).slice(0, 40)}`, async () => {
      const made = [await idOf(sent), await idOf(sent, '/v1/nope'), await idOf(sent, '/healthz')];
      assert.equal(new Set(made).size, 3, 'every request gets its own');
      for (const id of made) {
        assert.match(id, /^[\w-]{16,}$/);
        assert.ok(!sent.includes(id));
      }
    });
  }
});

describe('The log', () => {
  const call = (method: string, path: string, options = {}) => service.call(method, path, options);
  const body = { name: 'Bartholomew', categoryId: 7, secret: 'Bartholomew' };
  const requests: [string, number, string | undefined, () => Promise<Answer>][] = [
    ['listPets', 200, 'listPets', () => call('GET', '/v1/pets?note=Bartholomew')],
    ['createPet', 201, 'createPet', () => call('POST', '/v1/pets', { body })],
    ['getPet', 404, 'getPet', () => call('GET', '/v1/pets/Bartholomew')],
    ['HEAD', 200, 'listPets', () => call('HEAD', '/v1/pets')],
    ['a refused body', 400, 'createPet', () => call('POST', '/v1/pets', { raw: '{"name":Bartholomew' })],
    [
      'a refused field',
      400,
      'createPet',
      () => call('POST', '/v1/pets', { body: { name: ['Bartholomew'] } }),
    ],
    ['an unknown path', 404, undefined, () => call('GET', '/v1/nope')],
    ['a wrong method', 405, undefined, () => call('PUT', '/v1/pets', { body })],
  ];
  for (const [what, status, operation, send] of requests) {
    it(`has one line for ${what}`, async () => {
      const answer = await send();
      await linesOf(service, answer);
      await settleLog(service);
      const [line, ...more] = await linesOf(service, answer);
      assert.equal(more.length, 0);
      assert.equal(line?.status, status);
      assert.equal(line.operation, operation);
      assert.ok(typeof line.ms === 'number' && line.ms >= 0);
      assert.match(String(line.keyId), /^env-\w+$/);
    });
  }

  it('never contains a key, a body or a name', async () => {
    const headers = { 'idempotency-key': 'Bartholomew', 'user-agent': 'Bartholomew' };
    await call('POST', '/v1/pets', { body, headers });
    await call('GET', '/v1/pets', { key: 'Bartholomew' });
    await settleLog(service);
    const log = JSON.stringify(service.log);
    assert.doesNotMatch(log, /Bartholomew/);
    assert.ok(!log.includes(KEY));
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
