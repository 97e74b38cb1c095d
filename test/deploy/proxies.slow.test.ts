import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { INT64_MIN } from '../../src/contract/int64.ts';
import { clientOf } from '../client/support/client.ts';
import { petsIn } from '../support/database/database.ts';
import { freePort } from '../support/service/free-port.ts';
import { spawnService } from '../support/service/process.ts';
import { KEY, startService, temporaryFolder } from '../support/service/service.ts';
import { hasTools } from '../support/service/tools.ts';
import { PROXIES, startProxy } from './support/proxies.ts';

/** A client with more patience would not notice that nginx leaves out both instances for 10 seconds. */
const OUTAGE_MS = 5_000;

describe('A proxy with our configuration', { timeout: 120_000 }, () => {
  for (const proxy of Object.keys(PROXIES) as (keyof typeof PROXIES)[]) {
    it(`answers with the Error body, and Retry-After while there is no service: ${proxy}`, async (t) => {
      if (!hasTools(t, proxy)) return;
      const baseUrl = await startProxy(t, proxy, await freePort());
      const paths = { '/animals/v1/pets': [503, 'unavailable', '1'], '/v1/pets': [404, 'not_found', null] };
      for (const [path, [expected, ...rest]] of Object.entries(paths)) {
        const response = await fetch(new URL(path, baseUrl), { method: 'POST', body: '{}' });
        const { code, message, status, ...others } = (await response.json()) as Record<string, unknown>;
        assert.deepEqual([response.status, status], [expected, expected]);
        assert.deepEqual([code, response.headers.get('retry-after')], rest);
        assert.deepEqual([typeof message, others], ['string', {}]);
        assert.match(response.headers.get('content-type') ?? '', /^application\/json/);
      }
    });

    it(`passes on the Link of the longest query: ${proxy}`, async (t) => {
      if (!hasTools(t, proxy)) return;
      const { port, call } = await startService(t);
      const name = '🐕'.repeat(200);
      for (let n = 0; n < 2; n++) await call('POST', '/v1/pets', { body: { name, categoryId: 1 } });
      const query = `limit=1&name=${encodeURIComponent(name)}&id=1&id=2${`&id=${INT64_MIN}`.repeat(98)}`;
      const headers = { authorization: `Bearer ${KEY}` };
      const response = await fetch(`${await startProxy(t, proxy, port)}/pets?${query}`, { headers });
      assert.equal(response.status, 200, await response.text());
      assert.ok((response.headers.get('link') ?? '').length > query.length);
    });

    it(`finds the instance that runs while each of two is killed once: ${proxy}`, async (t) => {
      if (!hasTools(t, proxy)) return;
      const file = join(await temporaryFolder(t), 'pets.db');
      const ports = [await freePort(), await freePort()] as const;
      const start = (port: number) => spawnService(t, { DATABASE_URL: `sqlite:${file}`, PORT: `${port}` });
      const services = [await start(ports[0]), await start(ports[1])];
      const store = clientOf(await startProxy(t, proxy, ports), { timeoutMs: OUTAGE_MS });
      const created: string[] = [];
      for (const [i, port] of ports.entries()) {
        services[i]?.child.kill('SIGKILL');
        await services[i]?.exited;
        for (let n = 0; n < 4; n++)
          created.push((await store.createPet({ name: `${i} ${n}`, categoryId: 1 })).name);
        services[i] = await start(port);
      }
      assert.deepEqual(
        petsIn(file).map((pet) => pet.name),
        created,
      );
    });
  }
});
