import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { limits } from '../../../src/contract/limits.ts';
import { Metrics } from '../../../src/metrics/metrics.ts';
import { assertError } from '../../support/assert.ts';
import { eventually } from '../../support/eventually.ts';
import { sum } from '../../support/measure/metrics.ts';
import { type Service, startService } from '../../support/service/service.ts';
import { converse, HOST, request } from '../../support/wire/conversation.ts';
import type { RawAnswer } from '../../support/wire/socket.ts';

const CLIENTS = 600;
const HEALTH_CLIENTS = 10;
const TOO_LONG_MS = limits.eventLoopMs + 1;
const SHORT_MS = limits.eventLoopMs / 10;

/** A service that is told how long an iteration of its event loop took, so that the speed of the machine does not matter. */
async function startMeasured(t: TestContext): Promise<Service & { iterationTook(ms: number): void }> {
  const metrics = new Metrics();
  const readers: ((ms: number) => void)[] = [];
  metrics.eventLoop.onSample = (read) => void readers.push(read);
  const service = await startService(t, { metrics });
  const iterationTook = (ms: number) => {
    for (const read of readers) read(ms);
  };
  return { ...service, iterationTook };
}

/** Sends all requests, each on its own connection. */
async function burst(port: number, requests: readonly string[]): Promise<RawAnswer[]> {
  const conversations = requests.map((text) => {
    const conversation = converse(port);
    conversation.send(text);
    return conversation;
  });
  const answers = await Promise.all(conversations.map(({ next }) => next()));
  for (const { socket } of conversations) socket.destroy();
  return answers;
}

const reads = Array<string>(CLIENTS).fill(request('GET /v1/pets'));
const probes = Array<string>(HEALTH_CLIENTS).fill(request('GET /healthz', HOST));

describe('load shedding', { timeout: 60_000 }, () => {
  it('refuses a part of the requests while the event loop cannot keep up, never a health check, and recovers', async (t) => {
    const service = await startMeasured(t);
    service.iterationTook(TOO_LONG_MS);
    const answers = await burst(service.port, [...reads, ...probes]);
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

    service.iterationTook(SHORT_MS);
    for (const { status } of await burst(service.port, reads)) assert.equal(status, 200, 'it recovers');
  });

  it('refuses no more than a third, however long an iteration took', async (t) => {
    const service = await startMeasured(t);
    const many = Array<string>(900).fill(request('GET /v1/pets'));
    await burst(service.port, many);
    service.iterationTook(100 * TOO_LONG_MS);
    const answers = await burst(service.port, many);
    const refused = answers.filter(({ status }) => status === 503).length;
    assert.ok(refused > 0 && refused <= many.length / 3, `${refused} are refused`);
  });

  it('accepts everything after a pause that delayed few requests', async (t) => {
    const service = await startMeasured(t);
    for (let n = 0; n < 2; n++) {
      service.iterationTook(TOO_LONG_MS);
      for (const { status } of await burst(service.port, reads.slice(0, 100))) assert.equal(status, 200);
    }
  });

  it('learns how long an iteration took from the event loop itself', async () => {
    const samples: number[] = [];
    new Metrics().eventLoop.onSample((ms) => samples.push(ms));
    for (const end = performance.now() + TOO_LONG_MS; performance.now() < end; );
    await eventually(() => samples.some((ms) => ms >= TOO_LONG_MS), 'the long iteration is measured');
  });
});
