import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { heapUsed } from '../../support/measure/heap.ts';
import { startService } from '../../support/service/service.ts';
import { AUTH, converse, HOST, request } from '../../support/wire/conversation.ts';

const CONNECTIONS = 60;
/** What one may keep beyond an idle connection that has sent a small request. */
const MAX_BYTES = 10_000;
/** 64 kB as text, ten times that when it is parsed. */
const BODY = JSON.stringify({ name: 'Rex', categoryId: 7, ignored: Array(14_000).fill([0]) });
const LENGTH = `Content-Length: ${BODY.length}\r\n`;
const SMALL = 'GET /v1/pets?limit=1';

/** A small request, and a large one with the status of its response. */
const requests = {
  'with a key': [request(SMALL), request('POST /v1/pets', HOST + AUTH + LENGTH, BODY), 201],
  'without a key': [request(SMALL, HOST), request('POST /v1/pets', HOST + LENGTH, BODY), 401],
  'without a key and its end': [
    request(SMALL, HOST),
    request('POST /v1/pets', HOST + LENGTH, BODY.slice(0, -1)),
    401,
  ],
  'with many headers': [
    request(SMALL, HOST),
    request('POST /v1/pets', HOST + `x:${'x'.repeat(70)}\r\n`.repeat(199)),
    401,
  ],
} as const;

async function bytesInUse(): Promise<number> {
  await sleep(50);
  return heapUsed() + process.memoryUsage().arrayBuffers;
}

/** What is in use once the rest of the bodies has arrived and been dropped, which a busy machine may delay. */
async function settled(limit: number): Promise<number> {
  let bytes = await bytesInUse();
  for (let tries = 0; bytes > limit && tries < 100; tries++) bytes = await bytesInUse();
  return bytes;
}

describe('an idle connection', { timeout: 60_000 }, () => {
  for (const [what, [small, large, status]] of Object.entries(requests)) {
    it(`retains no memory of its last request, ${what}`, async (t) => {
      const service = await startService(t);
      const connections = Array.from({ length: CONNECTIONS }, () => converse(service.port));
      const onEach = async (bytes: string, expected?: number) => {
        for (const { send, next } of connections) {
          send(bytes);
          const answer = await next();
          if (expected !== undefined) assert.equal(answer.status, expected);
        }
      };
      await onEach(small);
      const before = await bytesInUse();
      await onEach(large, status);
      const grown = (await settled(before + CONNECTIONS * MAX_BYTES)) - before;
      for (const { socket } of connections) socket.destroy();
      assert.ok(grown / CONNECTIONS < MAX_BYTES, `${Math.round(grown / CONNECTIONS)} bytes more each`);
    });
  }
});
