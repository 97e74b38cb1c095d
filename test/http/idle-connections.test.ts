import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { AUTH, converse, HOST, request } from '../support/conversation.ts';
import { heapUsed } from '../support/heap.ts';
import { startService } from '../support/service.ts';

const CONNECTIONS = 60;
/** 35 kB as text, ten times that when it is parsed. */
const BODY = JSON.stringify({ name: 'Rex', categoryId: 7, ignored: Array(8000).fill([0]) });

const requests = { 'a plain request': '', 'a request with a Prefer header': 'Prefer: respond-async\r\n' };

describe('an idle connection', { timeout: 60_000 }, () => {
  for (const [what, header] of Object.entries(requests)) {
    it(`retains no memory of its last request, ${what}`, async (t) => {
      const service = await startService(t);
      const connections = Array.from({ length: CONNECTIONS }, () => converse(service.port));
      const onEach = async (bytes: string, status: number) => {
        for (const { send, next } of connections) {
          send(bytes);
          assert.equal((await next()).status, status);
        }
        await sleep(50);
        return heapUsed();
      };
      const before = await onEach(request('GET /v1/pets?limit=1', HOST + AUTH + header), 200);
      const head = `${HOST}${AUTH}${header}Content-Length: ${BODY.length}\r\n`;
      const grown = (await onEach(request('POST /v1/pets', head, BODY), 201)) - before;
      for (const { socket } of connections) socket.destroy();
      assert.ok(grown / CONNECTIONS < 50_000, `${Math.round(grown / CONNECTIONS)} bytes more per connection`);
    });
  }
});
