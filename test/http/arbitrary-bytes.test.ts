import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import type { ErrorCode } from '../../src/contract/errors.ts';
import { assertError } from '../support/assert.ts';
import { AUTH, answersOf, HOST, request } from '../support/conversation.ts';
import { startServiceForFile } from '../support/shared.ts';

const service = await startServiceForFile();
const PET = '{"name":"Rex","categoryId":7}';
const CHUNKED = `${PET.length.toString(16)}\r\n${PET}\r\n0\r\n\r\n`;

/** How long a request that may be incomplete is given to be answered, before we end our side of the connection. */
const PATIENCE_MS = 50;

const good = [
  request('GET /v1/pets?limit=2&status=sold'),
  request('GET /v1/pets/1', HOST),
  request('OPTIONS /v1/pets', HOST),
  request('GET /openapi.json', `${HOST}X-Request-Id: a\r\n`),
  request('POST /v1/pets', `${HOST}${AUTH}Content-Length: ${PET.length}\r\nExpect: 100-continue\r\n`, PET),
  request('POST /v1/pets', `${HOST}${AUTH}Transfer-Encoding: chunked\r\nIdempotency-Key: a\r\n`, CHUNKED),
];
const pieces = [...'\r\n\0 :,%?&=/;{}"09\xff', '\r\n', '\r\n\r\n', 'HTTP/1.1', 'Host: b\r\n', ...good];

/** Cuts `length` bytes out at `at` (a fraction of the request) and puts `piece` in their place. */
const edit = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.nat({ max: 12 }),
  piece: fc.oneof(
    fc.constant(''),
    fc.constantFrom(...pieces),
    fc.string({ maxLength: 20 }),
    fc.string({ maxLength: 20, unit: 'binary' }),
  ),
});

const damaged = fc
  .tuple(fc.constantFrom(...good), fc.array(edit, { maxLength: 3 }))
  .map(([bytes, edits]) => edits.reduce(apply, bytes))
  .map((text) => Buffer.from(text, 'latin1'));

const bytes = fc.oneof(
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }) },
  { weight: 4, arbitrary: damaged },
);

function apply(text: string, { at, length, piece }: { at: number; length: number; piece: string }): string {
  const start = Math.floor(at * text.length);
  return text.slice(0, start) + piece + text.slice(start + length);
}

describe('arbitrary bytes on a connection', { timeout: 120_000 }, () => {
  it('get whole answers of success or with the Error body, never a 500, or a closed connection', async (t) => {
    const seen = new Map<number, number>();
    const property = fc.asyncProperty(bytes, async (sent) => {
      const socket = connect(service.port, '127.0.0.1');
      socket.write(sent);
      const answers = Array.fromAsync(answersOf(socket));
      await Promise.race([sleep(PATIENCE_MS), answers]);
      socket.end();
      for (const answer of await answers) {
        seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1);
        assert.ok(answer.status < 500, answer.body);
        if (answer.status < 400) continue;
        assertError(answer, answer.status, (JSON.parse(answer.body) as { code: ErrorCode }).code);
      }
    });
    await fc.assert(property, { numRuns: 300 });

    t.diagnostic(`answers by status: ${JSON.stringify(Object.fromEntries([...seen].sort()))}`);
    assert.ok(
      [200, 201, 400, 401].every((status) => seen.has(status)),
      'the bytes reach all of the service',
    );
    assert.equal((await service.call('GET', '/v1/pets')).status, 200);
    const faults = service.log.filter(({ level }) => Number(level) >= 50);
    assert.deepEqual(faults, []);
  });
});
