import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { KEY, type Service, startService } from '../../support/service/service.ts';

const PREFIX = '/shop';

/** A reverse proxy that serves the service below a path prefix, which it removes from every request. */
async function startProxy(t: TestContext, { port }: Service): Promise<string> {
  const proxy = createServer((incoming, outgoing) => {
    const { method, headers, url = '' } = incoming;
    if (!url.startsWith(`${PREFIX}/`)) return void outgoing.writeHead(404).end();
    const forwarded = request({ port, method, headers, path: url.slice(PREFIX.length) }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(forwarded);
  });
  t.after(() => proxy.close().closeAllConnections());
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}${PREFIX}/v1`;
}

const authorization = { authorization: `Bearer ${KEY}` };

/** The URLs in a Link header by relation, resolved as a client resolves them. */
function linksOf(response: Response): Map<string, URL> {
  const links = (response.headers.get('link') ?? '').matchAll(/<([^<>]+)>; rel="([\w-]+)"/g);
  return new Map([...links].map(([, reference = '', rel = '']) => [rel, new URL(reference, response.url)]));
}

describe('behind a proxy that strips a path prefix', () => {
  it('the Location of what was created leads to it; an animal has no address that will stay', async (t) => {
    const base = await startProxy(t, await startService(t));
    const json = { 'content-type': 'application/json' };
    const send = (method: string, path: string, body: object) =>
      fetch(base + path, { method, headers: { ...authorization, ...json }, body: JSON.stringify(body) });
    const rex = await send('POST', '/pets', { name: 'Rex', categoryId: 7 });
    assert.deepEqual([rex.status, rex.headers.get('location')], [201, null]);
    for (const created of [
      await send('POST', '/store/orders', { petId: 1 }),
      await send('POST', '/categories?x=1', { name: 'Dogs' }),
      await send('PUT', '/categories/-5', { name: 'Cats' }),
    ]) {
      assert.equal(created.status, 201);
      const address = new URL(created.headers.get('location') ?? '', created.url);
      const got = await fetch(address, { headers: authorization });
      assert.equal(await got.text(), await created.text(), String(address));
    }
  });

  it('the server in /openapi.json is that of the client', async (t) => {
    const base = await startProxy(t, await startService(t));
    const response = await fetch(base.replace(/v1$/, 'openapi.json'));
    const { servers } = (await response.json()) as { servers: { url: string }[] };
    assert.deepEqual(
      servers.map(({ url }) => new URL(url, response.url).href),
      [base],
    );
  });

  it('the links of a deprecated operation lead to its successor and its documentation', async (t) => {
    const service = await startService(t);
    const base = await startProxy(t, service);
    for (const path of ['/pets/1', '/pets/1?x=1']) {
      const links = linksOf(await fetch(base + path, { headers: authorization }));
      for (const rel of ['successor-version', 'deprecation']) {
        const address = links.get(rel);
        assert.ok(address, rel);
        assert.equal((await fetch(address, { headers: authorization })).status, 200, String(address));
      }
      assert.equal(String(links.get('successor-version')), `${base}/pets`);
    }
  });
});
