import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { assertError, header } from '../../support/assert.ts';
import { startServiceForFile } from '../../support/shared.ts';
import { AUTHORIZED, rawRequest } from '../../support/wire/raw-request.ts';
import type { RawAnswer } from '../../support/wire/socket.ts';

// The pages would be served at `/`.
const service = await startServiceForFile({ config: { pages: false } });
const send = (requestLine: string, headers = [AUTHORIZED], body = '') =>
  rawRequest(service.port, requestLine, headers, body);

const paths: Readonly<Record<string, string>> = {
  '/v1/pets?limit=1': 'GET, HEAD, POST, OPTIONS',
  '/v1/%70ets': 'GET, HEAD, POST, OPTIONS',
  '/v1/pets/%zz': 'GET, HEAD, PATCH, DELETE, OPTIONS',
  '/v1/pets/1/restore': 'POST, OPTIONS',
  '/v1/pets/batch': 'GET, HEAD, PATCH, DELETE, POST, OPTIONS',
  '/healthz': 'GET, HEAD, OPTIONS',
};
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'QUERY'];

before(() => service.call('POST', '/v1/pets', { body: { name: 'Rex', categoryId: 7 } }));

describe('The methods of a path', () => {
  for (const [path, allowed] of Object.entries(paths))
    it(`are listed for OPTIONS, without a key, and for any other method: ${path}`, async () => {
      const options = await send(`OPTIONS ${path}`, []);
      assert.deepEqual([options.status, options.body, header(options, 'allow')], [204, '', allowed]);
      assert.ok(header(options, 'x-request-id'));
      for (const method of methods.filter((method) => !allowed.split(', ').includes(method))) {
        const answer = await send(`${method} ${path}`);
        assert.equal(header(answer, 'allow'), allowed, method);
        if (method === 'HEAD') assert.equal(answer.status, 405);
        else assertError(answer, 405, 'method_not_allowed');
      }
    });

  it('are known without the body', async () => {
    const long = [AUTHORIZED, 'Content-Type: text/plain', 'Content-Length: 999999'];
    assertError(await send('PUT /v1/pets', long), 405, 'method_not_allowed');
    assert.equal(
      (await send('OPTIONS /v1/pets', ['Authorization: Bearer wrong', 'Content-Type: text/;;'], 'no JSON'))
        .status,
      204,
    );
  });
});

describe('A path that does not exist', () => {
  const below =
    '/v1 /v1/ /v1/nope /v1/PETS /v1/pets/1/ /v1/pets/1/x /v1//pets /v1/%zz /v1/pets//restore /v1/pets%2F1';
  const outside = '/ /docs /assets/none.js /pets /v1x /v2/pets //v1/pets /healthz/ /%zz /..%2f * /?x=%';
  it('is 404 for every method, and for OPTIONS without a key', async () => {
    for (const path of `${below} ${outside}`.split(' ')) {
      for (const method of ['GET', 'POST', 'PUT'])
        assertError(await send(`${method} ${path}`), 404, 'not_found');
      assertError(await send(`OPTIONS ${path}`, []), 404, 'not_found');
    }
  });

  it('is 404 with a hint to drop the slash for an empty last segment', async () => {
    for (const path of ['/v1/pets/', '/v1/store/orders/', '/v1/store/inventory/'])
      for (const method of ['GET', 'POST', 'PATCH'])
        assert.match(assertError(await send(`${method} ${path}`), 404, 'not_found'), /slash/);
  });
});

it('A request target in absolute form is served like the path alone, whatever host it names', async () => {
  for (const origin of ['http://other.example', 'HTTPS://other.example:1', 'http://[::1]:8080']) {
    assert.equal((await send(`GET ${origin}/v1/pets/1`)).body, (await send('GET /v1/pets/1')).body);
    assert.equal((await send(`GET ${origin}/healthz`)).status, 200);
    assertError(await send(`GET ${origin}/v1/pets?limit=0`), 400, 'invalid_parameter');
    assertError(await send(`GET ${origin}/v1/pets`, []), 401, 'unauthorized');
    for (const rest of ['', '/', '?x=1', '/v1/nope'])
      assertError(await send(`GET ${origin}${rest}`), 404, 'not_found');
  }
});

it('HEAD is answered like GET, without the body', async () => {
  const targets = ['/v1/pets', '/v1/pets?limit=1', '/v1/pets?limit=0', '/v1/pets/1', '/v1/pets/2', '/nope'];
  for (const target of [...targets, '/healthz', '/readyz', '/openapi.json']) {
    const [get, head] = [await send(`GET ${target}`), await send(`HEAD ${target}`)];
    const steady = ({ headers: { date, 'x-request-id': id, ...rest } }: RawAnswer) => rest;
    assert.deepEqual([head.status, head.body, steady(head)], [get.status, '', steady(get)], target);
  }
});
