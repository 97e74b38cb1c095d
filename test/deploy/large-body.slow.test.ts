import assert from 'node:assert/strict';
import { type RequestOptions, request } from 'node:http';
import { describe, it } from 'node:test';
import { errorJson } from '../../src/contract/errors.ts';
import { bodyTooLarge } from '../../src/contract/transport-errors.ts';
import { PATIENCE_MS } from '../support/eventually.ts';
import { KEY, startService } from '../support/service/service.ts';
import { hasTools } from '../support/service/tools.ts';
import { PROXIES, startProxy } from './support/proxies.ts';

/** More than the service, nginx and the buffers in between take. */
const BODY = Buffer.alloc(2 * 1024 * 1024, ' ');
const LENGTHS: Readonly<Record<string, RequestOptions['headers']>> = {
  'with Content-Length': { 'content-length': BODY.length },
  'in chunks': { 'transfer-encoding': 'chunked' },
};

/** Sends the whole body, whatever arrives meanwhile. Rejects when the connection is reset. */
async function post(url: string, headers: RequestOptions['headers']): Promise<[number | undefined, string]> {
  const { promise, resolve, reject } = Promise.withResolvers<[number | undefined, string]>();
  const sent = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', ...headers };
  const posted = request(url, { method: 'POST', agent: false, headers: sent }, async (response) => {
    try {
      const text = Buffer.concat(await response.toArray()).toString();
      resolve([response.statusCode, text]);
    } catch (error) {
      reject(error);
    }
  });
  posted.on('error', reject).end(BODY);
  return promise;
}

describe('A body of 2 MB through a proxy with our configuration', { timeout: 120_000 }, () => {
  for (const name of Object.keys(PROXIES) as (keyof typeof PROXIES)[]) {
    for (const [how, headers] of Object.entries(LENGTHS)) {
      it(`gets 413 with the Error body, and no reset: ${name}, ${how}`, async (t) => {
        if (!hasTools(t, name)) return;
        // The service drops the rest of the body for as long as the proxy may need to send it.
        const { port } = await startService(t, { limits: { lingerMs: PATIENCE_MS } });
        const baseUrl = await startProxy(t, name, port);
        assert.deepEqual(await post(`${baseUrl}/pets`, headers), [413, errorJson(bodyTooLarge())]);
      });
    }
  }
});
