import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip } from 'node:zlib';
import { assertError } from '../../support/assert.ts';
import { startService } from '../../support/service/service.ts';

const KEYLESS = { key: null };

/** The raw bytes of the response. */
async function receive(port: number, path: string, acceptEncoding: string): Promise<Buffer> {
  const socket = connect(port, '127.0.0.1');
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: x\r\nAccept-Encoding: ${acceptEncoding}\r\nConnection: close\r\n\r\n`,
  );
  return Buffer.concat(await socket.toArray());
}

describe('The pages over HTTP', { concurrency: 4 }, () => {
  for (const path of ['/', '/docs']) {
    it(`serve ${path} and its assets without a key, with security headers and cache headers`, async (t) => {
      const service = await startService(t);
      const page = await service.call('GET', path, KEYLESS);
      assert.equal(page.status, 200);
      assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
      assert.equal(page.headers.get('cache-control'), 'no-cache');
      assert.match(page.headers.get('x-request-id') ?? '', /\S/);
      const assets = [...page.text.matchAll(/(?:src|href)="(assets\/[^"]+)"/g)].map(
        ([, found = '']) => found,
      );
      assert.deepEqual(assets.map((asset) => asset.split('.')[1]).toSorted(), ['css', 'js', 'js', 'svg']);
      for (const asset of ['', ...assets]) {
        const { status, headers } = asset === '' ? page : await service.call('GET', `/${asset}`, KEYLESS);
        assert.equal(status, 200, asset);
        if (asset !== '') assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable');
        assert.match(
          headers.get('content-security-policy') ?? '',
          /default-src 'none'; script-src 'self'; style-src 'self'/,
        );
        assert.doesNotMatch(headers.get('content-security-policy') ?? '', /unsafe|http|\*/);
        assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/);
        assert.equal(headers.get('x-content-type-options'), 'nosniff');
        assert.equal(headers.get('x-frame-options'), 'DENY');
        assert.equal(headers.get('referrer-policy'), 'no-referrer');
      }
    });
  }

  it('are smaller than 70 KB together when compressed', async (t) => {
    const service = await startService(t);
    const paths = new Set(['/', '/docs']);
    let bytes = 0;
    for (const path of paths) {
      const response = await receive(service.port, path, 'gzip, br');
      bytes += response.length - response.indexOf('\r\n\r\n') - 4;
      const { text } = await service.call('GET', path, KEYLESS);
      for (const [, asset = ''] of text.matchAll(/"(assets\/[^"]+)"/g)) paths.add(`/${asset}`);
    }
    assert.equal(paths.size, 8);
    assert.ok(bytes < 70_000, `${bytes} bytes`);
  });

  it('have the same content in every encoding, and use the one the client prefers', async (t) => {
    const service = await startService(t);
    const plain = await service.call('GET', '/', { ...KEYLESS, headers: { 'accept-encoding': 'identity' } });
    const decoders = { br: promisify(brotliDecompress), gzip: promisify(gunzip) };
    const cases = {
      'gzip, deflate, br': 'br',
      'br;q=0, gzip;q=0.5': 'gzip',
      'GZIP ;q=1': 'gzip',
      'deflate, *;q=0': '',
    };
    for (const [accepted, encoding] of Object.entries(cases)) {
      const raw = await receive(service.port, '/', accepted);
      const end = raw.indexOf('\r\n\r\n');
      const head = raw.subarray(0, end).toString();
      assert.equal(/^content-encoding: (\S+)/im.exec(head)?.[1] ?? '', encoding, accepted);
      assert.match(head, /^vary: accept-encoding/im);
      const body = raw.subarray(end + 4);
      const text = encoding === '' ? body : await decoders[encoding as 'br' | 'gzip'](body);
      assert.equal(text.toString(), plain.text);
    }
  });

  it('answer HEAD without a body and 304 to a client that has a copy', async (t) => {
    const service = await startService(t);
    const head = await service.call('HEAD', '/docs', KEYLESS);
    assert.deepEqual([head.status, head.text], [200, '']);
    const etag = head.headers.get('etag') ?? '';
    assert.match(etag, /^W\/"\w+"$/);
    for (const sent of [etag, `"other", ${etag}`, etag.slice(2), '*']) {
      const again = await service.call('GET', '/docs', { ...KEYLESS, headers: { 'if-none-match': sent } });
      assert.deepEqual([again.status, again.text, again.headers.get('etag')], [304, '', etag], sent);
      assert.equal(again.headers.get('content-length'), null);
    }
    const changed = await service.call('GET', '/docs', {
      ...KEYLESS,
      headers: { 'if-none-match': '"other"' },
    });
    assert.equal(changed.status, 200);
    assertError(await service.call('POST', '/', KEYLESS), 405, 'method_not_allowed');
    assertError(await service.call('GET', '/assets/none.js', KEYLESS), 404, 'not_found');
    assertError(await service.call('GET', '/assets/..%2Fassets.ts', KEYLESS), 404, 'not_found');
  });
});
