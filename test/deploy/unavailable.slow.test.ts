import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { freePort } from '../support/service/free-port.ts';
import { hasTools } from '../support/service/tools.ts';
import { PROXIES, startProxy } from './support/proxies.ts';

describe('A proxy with our configuration', { timeout: 120_000, concurrency: true }, () => {
  for (const name of Object.keys(PROXIES) as (keyof typeof PROXIES)[]) {
    it(`answers with the Error body and Retry-After while there is no service: ${name}`, async (t) => {
      if (!hasTools(t, name)) return;
      const baseUrl = await startProxy(t, name, await freePort());
      const response = await fetch(`${baseUrl}/pets`, { method: 'POST', body: '{}' });
      const { code, status, ...rest } = (await response.json()) as Record<string, unknown>;
      assert.deepEqual([response.status, code, status], [503, 'unavailable', 503]);
      assert.deepEqual(Object.keys(rest), ['message']);
      assert.equal(response.headers.get('retry-after'), '1');
      assert.match(response.headers.get('content-type') ?? '', /^application\/json/);
    });
  }
});
