import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, it, type TestContext } from 'node:test';
import { assertError, header } from '../../support/assert.ts';
import { browser, closeBrowser } from '../../support/browser.ts';
import { PATIENCE_MS } from '../../support/eventually.ts';
import { KEY, startService } from '../../support/service/service.ts';
import { startServiceForFile } from '../../support/shared.ts';
import { AUTHORIZED, rawRequest } from '../../support/wire/raw-request.ts';

const SHOP = 'https://shop.example';
const OTHER = 'https://other.example';
const EXPOSED = [
  'X-Request-Id',
  'Link',
  'Last-Event-ID',
  'ETag',
  'Location',
  'Accept-Patch',
  'Accept-Encoding',
  'Idempotent-Replayed',
  'Deprecation',
  'Sunset',
  'RateLimit-Policy',
  'RateLimit',
  'WWW-Authenticate',
  'Retry-After',
  'Allow',
];
const service = await startServiceForFile({ config: { corsOrigin: [SHOP, 'http://localhost:3000'] } });
const send = (line: string, ...headers: string[]) => rawRequest(service.port, line, headers);
const list = (text: string | null | undefined) => (text ?? '').split(/, */);

after(closeBrowser);

describe('With --cors-origin', () => {
  it('a preflight without a key is 204 with the methods and headers of the path', async () => {
    for (const [path, methods] of Object.entries({
      '/v1/pets': ['GET', 'HEAD', 'POST', 'OPTIONS'],
      '/v1/pets/1': ['GET', 'HEAD', 'PATCH', 'DELETE', 'OPTIONS'],
      '/v1/store/orders/1': ['GET', 'HEAD', 'PATCH', 'OPTIONS'],
    })) {
      const asked = [`Origin: ${SHOP}`, 'Access-Control-Request-Method: POST'];
      const answer = await send(`OPTIONS ${path}`, ...asked);
      assert.equal(answer.status, 204);
      assert.equal(header(answer, 'access-control-allow-origin'), SHOP);
      assert.deepEqual(list(header(answer, 'access-control-allow-methods')), methods);
      assert.deepEqual(list(header(answer, 'access-control-allow-headers')), [
        'Authorization',
        'Content-Type',
        'Idempotency-Key',
        'If-Match',
        'If-None-Match',
        'Last-Event-ID',
        'X-Request-Id',
      ]);
      assert.match(header(answer, 'access-control-max-age') ?? '', /^\d+$/);
      assert.equal(header(answer, 'vary'), 'Origin');
    }
  });

  it('every answer to a listed origin names it and exposes our headers, also an error', async () => {
    const requests = {
      'GET /v1/pets': 200,
      'GET /v1/pets?limit=0': 400,
      'GET /v1/pets/1': 404,
      'DELETE /v1/pets': 405,
      'OPTIONS /v1/pets': 204,
      'GET /nope': 404,
      'GET /healthz': 200,
      [`GET /v1/pets?${'x'.repeat(9000)}`]: 414,
    };
    for (const [line, status] of Object.entries(requests)) {
      const answer = await send(line, `Origin: ${SHOP}`, AUTHORIZED);
      assert.equal(answer.status, status);
      assert.equal(header(answer, 'access-control-allow-origin'), SHOP, line);
      assert.deepEqual(list(header(answer, 'access-control-expose-headers')), EXPOSED, line);
      assert.equal(header(answer, 'access-control-allow-credentials'), undefined);
    }
    const refused = await send('GET /v1/pets', `Origin: ${SHOP}`);
    assertError(refused, 401, 'unauthorized');
    assert.equal(header(refused, 'access-control-allow-origin'), SHOP);
  });

  it('another origin, or none, is told nothing but that the answer depends on it', async () => {
    for (const origin of [OTHER, 'null', `${SHOP}.evil.example`, `${SHOP}:8443`, SHOP.toUpperCase(), '*']) {
      for (const line of ['GET /v1/pets', 'OPTIONS /v1/pets']) {
        const asked = [`Origin: ${origin}`, 'Access-Control-Request-Method: GET', AUTHORIZED];
        const answer = await send(line, ...asked);
        const names = Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'));
        assert.deepEqual(names, [], origin);
        assert.equal(header(answer, 'vary'), 'Origin');
      }
    }
    assert.equal(header(await send('GET /v1/pets', AUTHORIZED), 'vary'), 'Origin');
  });

  it('* allows every origin, and answers do not depend on it', async (t) => {
    const open = await startService(t, { config: { corsOrigin: ['*'] } });
    const answer = await rawRequest(open.port, 'GET /v1/pets', [`Origin: ${OTHER}`, AUTHORIZED]);
    assert.equal(header(answer, 'access-control-allow-origin'), '*');
    assert.equal(header(answer, 'vary'), undefined);
  });
});

describe('A page of another origin in a browser', { timeout: 120_000 }, () => {
  /** Evaluated in the page. */
  const createAndList = (url: string, key: string) => `(async () => {
    const headers = { authorization: 'Bearer ${key}', 'content-type': 'application/json',
      'idempotency-key': 'k1', 'x-request-id': 'page-1' };
    const body = JSON.stringify({ name: 'Rex', categoryId: 7 });
    const created = await fetch('${url}', { method: 'POST', headers, body });
    const again = await fetch('${url}', { method: 'POST', headers, body });
    const refused = await fetch('${url}', { headers: { authorization: 'Bearer wrong' } });
    return [created.status, again.headers.get('idempotent-replayed'), created.headers.get('x-request-id'),
      refused.status, (await refused.json()).code];
  })()`;

  it('can create, read our headers and read errors when its origin is allowed, and nothing otherwise', async (t) => {
    const page = await (await browser(t))?.newPage();
    if (!page) return;
    t.after(() => page.close());
    page.setDefaultTimeout(PATIENCE_MS);
    const origin = await startSite(t);
    const allowed = await startService(t, { config: { corsOrigin: [origin] } });
    const closed = await startService(t, { config: { corsOrigin: [SHOP] } });
    await page.goto(origin);
    const seen = await page.evaluate(createAndList(`${allowed.origin}/v1/pets`, KEY));
    assert.deepEqual(seen, [201, 'true', 'page-1', 401, 'unauthorized']);
    await assert.rejects(page.evaluate(createAndList(`${closed.origin}/v1/pets`, KEY)), /Failed to fetch/);
    assert.deepEqual((await closed.call('GET', '/v1/pets')).json, [], 'the preflight stopped the create');
  });
});

async function startSite(t: TestContext): Promise<string> {
  const site = createServer((_, response) => void response.setHeader('content-type', 'text/html').end('<p>'));
  site.listen(0, '127.0.0.1');
  await once(site, 'listening');
  t.after(() => site.close());
  return `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
}
