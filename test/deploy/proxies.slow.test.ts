import assert from 'node:assert/strict';
import { type RequestOptions, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { errorJson } from '../../src/contract/errors.ts';
import { INT64_MIN } from '../../src/contract/int64.ts';
import { bodyTooLarge } from '../../src/contract/transport-errors.ts';
import { clientOf } from '../client/support/client.ts';
import { collectEvents } from '../client/support/events.ts';
import { petsIn } from '../support/database/database.ts';
import { eventuallyEqual, PATIENCE_MS } from '../support/eventually.ts';
import { sum } from '../support/measure/metrics.ts';
import { freePort } from '../support/service/free-port.ts';
import { spawnService } from '../support/service/process.ts';
import { KEY, startService, temporaryFolder } from '../support/service/service.ts';
import { hasTools } from '../support/service/tools.ts';
import { PROXY_NAMES, startProxy } from './support/proxies.ts';

/** A client with more patience would not notice that nginx leaves out both instances for 10 seconds. */
const OUTAGE_MS = 5_000;

/** More than the service, nginx and the buffers in between take. */
const BODY = Buffer.alloc(2 * 1024 * 1024, ' ');
const LENGTHS = [{ 'content-length': BODY.length }, { 'transfer-encoding': 'chunked' }];

/** Sends the whole body, whatever arrives meanwhile. Rejects when the connection is reset. */
async function post(url: string, headers: RequestOptions['headers']): Promise<[number | undefined, string]> {
  const { promise, resolve, reject } = Promise.withResolvers<[number | undefined, string]>();
  const sent = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', ...headers };
  const posted = request(url, { method: 'POST', agent: false, headers: sent }, (response) =>
    text(response).then((body) => resolve([response.statusCode, body]), reject),
  );
  posted.on('error', reject).end(BODY);
  return promise;
}

describe('A proxy with our configuration', { timeout: 300_000 }, () => {
  for (const proxy of PROXY_NAMES) {
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

    it(`passes on 413 with the Error body, and no reset, for a body of 2 MB: ${proxy}`, async (t) => {
      if (!hasTools(t, proxy)) return;
      // The service drops the rest of the body for as long as the proxy may need to send it.
      const { port } = await startService(t, { limits: { lingerMs: PATIENCE_MS } });
      const baseUrl = await startProxy(t, proxy, port);
      for (const headers of LENGTHS)
        assert.deepEqual(await post(`${baseUrl}/pets`, headers), [413, errorJson(bodyTooLarge())]);
    });

    it(`does not buffer a stream of events, which ends when the client leaves: ${proxy}`, async (t) => {
      if (!hasTools(t, proxy)) return;
      const { port, origin, call } = await startService(t);
      const direct = clientOf(`${origin}/v1`);
      const { names, controller } = collectEvents(t, clientOf(await startProxy(t, proxy, port)));
      const openStreams = async () => sum((await call('GET', '/metrics')).text, 'animal_store_event_streams');
      await eventuallyEqual(openStreams, 1);
      const created: string[] = [];
      for (const pet of ['Rex', 'Max', 'Tom']) {
        await direct.createPet({ name: pet, categoryId: 1 });
        created.push(pet);
        // Each arrives before the next one happens: a buffer would hold them back.
        await eventuallyEqual(names, created);
      }
      assert.equal(await openStreams(), 1, 'it is still the same stream');
      controller.abort();
      await eventuallyEqual(openStreams, 0);
    });
  }
});
