import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { setImmediate as checkPhase, setTimeout as sleep } from 'node:timers/promises';
import { assertError } from '../../support/assert.ts';
import { sum } from '../../support/measure/metrics.ts';
import { startService } from '../../support/service/service.ts';
import { converse, HOST, request } from '../../support/wire/conversation.ts';
import type { RawAnswer } from '../../support/wire/socket.ts';

const CLIENTS = 600;
const HEALTH_CLIENTS = 10;
/** The service runs in this process: while the test computes, its event loop does not run. */
const BLOCKED_MS = 600;

function block(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end; );
}

/** Sends all requests, each on its own connection, and blocks the event loop before it can read them. */
async function burst(port: number, requests: readonly string[], blockedMs: number): Promise<RawAnswer[]> {
  const conversations = requests.map(() => converse(port));
  await Promise.all(conversations.map(({ socket }) => once(socket, 'connect')));
  await sleep(100);
  // From here, timers come before the requests are read: the service notices the pause first.
  await checkPhase();
  for (const [n, { send }] of conversations.entries()) send(requests[n] ?? '');
  block(blockedMs);
  const answers = await Promise.all(conversations.map(({ next }) => next()));
  for (const { socket } of conversations) socket.destroy();
  return answers;
}

const reads = Array<string>(CLIENTS).fill(request('GET /v1/pets'));
const probes = Array<string>(HEALTH_CLIENTS).fill(request('GET /healthz', HOST));

describe('load shedding', { timeout: 60_000 }, () => {
  it('refuses a part of the requests while the event loop cannot keep up, never a health check, and recovers', async (t) => {
    const service = await startService(t);
    const answers = await burst(service.port, [...reads, ...probes], BLOCKED_MS);
    const refused = answers.filter(({ status }) => status === 503);
    const accepted = answers.filter(({ status }) => status === 200);
    t.diagnostic(`${accepted.length} accepted, ${refused.length} refused`);
    assert.equal(accepted.length + refused.length, answers.length);
    assert.ok(refused.length > 0, 'some are refused');
    assert.ok(accepted.length >= 400, 'some are always accepted');
    for (const answer of refused) {
      assert.match(assertError(answer, 503, 'unavailable'), /overloaded/);
      assert.equal(answer.headers['retry-after'], '1');
    }
    for (const { status } of answers.slice(CLIENTS)) assert.equal(status, 200, 'a health check is answered');
    const { text } = await service.call('GET', '/metrics');
    assert.equal(sum(text, 'animal_store_rejected_requests_total', 'reason="overloaded"'), refused.length);
    const errors = service.log.filter(({ level }) => Number(level) >= 50);
    assert.ok(errors.length < 10, 'the outage is logged, not every refused request');

    await sleep(200);
    for (const { status } of await burst(service.port, reads, 0)) assert.equal(status, 200, 'it recovers');
  });

  it('accepts everything after a pause that delayed few requests', async (t) => {
    const service = await startService(t);
    for (let n = 0; n < 2; n++) {
      const answers = await burst(service.port, reads.slice(0, 100), BLOCKED_MS);
      for (const { status } of answers) assert.equal(status, 200);
    }
  });
});
