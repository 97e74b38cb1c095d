import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startAttackedService } from '../support/service/attacked-service.ts';
import { mayOpenFiles } from '../support/service/tools.ts';
import { AUTH, HOST, request } from '../support/wire/conversation.ts';
import { flood } from '../support/wire/flood.ts';

const CONNECTIONS = process.env.TEST_FAULTS ? 9800 : 4900;
const HELPERS = 2;
/**
 * What all of them may add, however much each has sent: 20 kB each, read buffers that are not collected yet, and freed
 * memory that the C library keeps, of which runs of the same program differ by 80 MB. To keep only the bodies would take
 * 318 MB more than nothing in the smaller run.
 */
const MAX_BYTES = CONNECTIONS * 20_000 + 230_000_000;

const POST = 'POST /v1/pets';
const BODY = `{"name":"Rex","categoryId":7,"ignored":"${'x'.repeat(64_900)}"}`;
const LENGTH = `Content-Length: ${BODY.length}\r\n`;
const headers = (count: number, length: number) => `x:${'x'.repeat(length)}\r\n`.repeat(count);

const kinds = {
  'nothing at all': '',
  'one small request': request('GET /healthz', HOST),
  'a large body without a key': request(POST, HOST + LENGTH, BODY),
  'a large body without a key, but for its end': request(POST, HOST + LENGTH, BODY.slice(0, -1)),
  'a large body without a key, in chunks': request(
    POST,
    `${HOST}Transfer-Encoding: chunked\r\n`,
    `fd00\r\n${'x'.repeat(0xfd00)}\r\n0\r\n\r\n`,
  ),
  'a large body with a key': request(POST, HOST + AUTH + LENGTH, BODY),
  '3,900 tiny headers': request('GET /healthz', HOST + headers(3900, 0)),
  '3,900 tiny headers without their end': `GET /healthz HTTP/1.1\r\n${HOST}${headers(3900, 0)}`,
  'as many headers as are allowed': request('GET /v1/pets', HOST + headers(199, 70)),
  'as many headers as are allowed, and half a body': request(POST, HOST + LENGTH + headers(198, 70), '{'),
  'the longest target': request(`GET /v1/pets?name=${'x'.repeat(8100)}`, HOST),
};

describe(`${CONNECTIONS} idle connections add at most ${MAX_BYTES / 1e6} MB`, { timeout: 600_000 }, () => {
  for (const [what, payload] of Object.entries(kinds))
    it(`if each has sent ${what}`, async (t) => {
      if (!mayOpenFiles(t, CONNECTIONS + 500)) return;
      const service = await startAttackedService(t);
      const { port } = service;
      const before = service.residentBytes();
      const options = { port, connections: CONNECTIONS / HELPERS, payload, reads: true };
      await Promise.all(Array.from({ length: HELPERS }, () => flood(t, options)));
      await sleep(1000);
      const grown = service.residentBytes() - before;
      t.diagnostic(`${Math.round(grown / 1e6)} MB, ${(grown / CONNECTIONS / 1000).toFixed(1)} kB each`);
      await service.healthMs();
      assert.ok(grown < MAX_BYTES, `${grown} bytes more`);
    });
});
