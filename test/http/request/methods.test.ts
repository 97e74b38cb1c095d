import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { assertError, header } from '../../support/assert.ts';
import { startServiceForFile } from '../../support/shared.ts';
import { AUTHORIZED, rawRequest } from '../../support/wire/raw-request.ts';
import type { RawAnswer } from '../../support/wire/socket.ts';

// The pages would be served at `/`.
const service = await startServiceForFile({ config: { pages: false } });
const send = (requestLine: string) => rawRequest(service.port, requestLine, [AUTHORIZED]);
const allowOf = (answer: RawAnswer) => new Set((header(answer, 'allow') ?? '').split(/, */));

const paths: Record<string, string[]> = {
  '/v1/pets': ['GET', 'HEAD', 'POST', 'OPTIONS'],
  '/v1/pets?limit=1': ['GET', 'HEAD', 'POST', 'OPTIONS'],
  '/v1/%70ets': ['GET', 'HEAD', 'POST', 'OPTIONS'],
  '/v1/pets/1': ['GET', 'HEAD', 'PATCH', 'DELETE', 'OPTIONS'],
  '/v1/pets/abc': ['GET', 'HEAD', 'PATCH', 'DELETE', 'OPTIONS'],
  '/v1/pets/%zz': ['GET', 'HEAD', 'PATCH', 'DELETE', 'OPTIONS'],
  '/healthz': ['GET', 'HEAD', 'OPTIONS'],
  '/readyz': ['GET', 'HEAD', 'OPTIONS'],
  '/openapi.json': ['GET', 'HEAD', 'OPTIONS'],
};
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'QUERY'];

before(() => service.call('POST', '/v1/pets', { body: { name: 'Rex', categoryId: 7 } }));

describe('A method that a path does not have', () => {
  for (const [path, allowed] of Object.entries(paths)) {
    it(`is 405 with Allow on ${path}`, async () => {
      for (const method of methods.filter((method) => !allowed.includes(method))) {
        const answer = await send(`${method} ${path}`);
        assertError(answer, 405, 'method_not_allowed');
        assert.deepEqual(allowOf(answer), new Set(allowed), method);
      }
    });
  }

  it('is 405 without reading the body', async () => {
    const headers = [AUTHORIZED, 'Content-Type: text/plain', 'Content-Length: 999999'];
    assertError(await rawRequest(service.port, 'PUT /v1/pets', headers), 405, 'method_not_allowed');
  });
});

describe('OPTIONS', () => {
  for (const [path, allowed] of Object.entries(paths)) {
    it(`answers 204 with Allow on ${path}`, async () => {
      const answer = await rawRequest(service.port, `OPTIONS ${path}`, []);
      assert.equal(answer.status, 204);
      assert.equal(answer.body, '');
      assert.deepEqual(allowOf(answer), new Set(allowed));
      assert.ok(header(answer, 'x-request-id'));
    });
  }

  it('ignores a body', async () => {
    const type = 'Content-Type: text/;;';
    assert.equal((await rawRequest(service.port, 'OPTIONS /v1/pets', [type], 'no JSON')).status, 204);
  });

  it('answers 404 for an unknown path', async () => {
    assertError(await rawRequest(service.port, 'OPTIONS /v1/nope', []), 404, 'not_found');
  });
});

describe('A path that does not exist', () => {
  const below = [
    '/v1',
    '/v1/',
    '/v1/nope',
    '/v1/PETS',
    '/v1/pets/1/',
    '/v1/pets/1/x',
    '/v1//pets',
    '/v1/%zz',
  ];
  const outside = [
    '/',
    '/pets',
    '/v1x',
    '/v2/pets',
    '//v1/pets',
    '/healthz/',
    '/%zz',
    '/..%2f',
    '*',
    '/?x=%',
  ];
  for (const path of [...below, ...outside]) {
    it(`is 404 not_found: ${path}`, async () => {
      for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
        assertError(await send(`${method} ${path}`), 404, 'not_found');
      }
      assert.equal((await send(`HEAD ${path}`)).status, 404);
    });
  }
});

describe('A request target in absolute form', () => {
  it('is served like the path alone, whatever host it names', async () => {
    for (const origin of [
      service.origin,
      'http://other.example',
      'HTTPS://other.example:1',
      'http://[::1]:8080',
    ]) {
      assert.equal((await send(`GET ${origin}/v1/pets/1`)).body, (await send('GET /v1/pets/1')).body);
      assert.equal((await send(`GET ${origin}/healthz`)).status, 200);
      assertError(await send(`GET ${origin}/v1/pets?limit=0`), 400, 'invalid_parameter');
      assertError(await rawRequest(service.port, `GET ${origin}/v1/pets`, []), 401, 'unauthorized');
      for (const rest of ['', '/', '?x=1', '/v1/nope']) {
        assertError(await send(`GET ${origin}${rest}`), 404, 'not_found');
      }
    }
  });
});

describe('HEAD', () => {
  for (const path of [...Object.keys(paths), '/v1/pets?limit=0', '/v1/pets/2', '/nope']) {
    it(`answers like GET, without the body: ${path}`, async () => {
      const [get, head] = [await send(`GET ${path}`), await send(`HEAD ${path}`)];
      assert.equal(head.status, get.status);
      assert.equal(head.body, '');
      const steady = ({ headers: { date, 'x-request-id': id, ...rest } }: RawAnswer) => rest;
      assert.deepEqual(steady(head), steady(get));
    });
  }
});
