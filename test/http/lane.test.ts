import assert from 'node:assert/strict';
import diagnostics from 'node:diagnostics_channel';
import { connect } from 'node:net';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import type { FastifyRequest } from 'fastify';
import { anyRequest } from '../support/any-request.ts';
import { AUTH, HOST, request } from '../support/conversation.ts';
import { oddRequests, type Sent } from '../support/odd-requests.ts';
import { type Service, startService } from '../support/service.ts';
import { startServiceForFile } from '../support/shared.ts';

/** Means nothing to the service, but is not plain: a request with it goes through the framework. */
const DEMANDING = 'Prefer: respond-async\r\n';
/** Sent behind every request on its connection, to see whether that goes on, and to end it. */
const LAST = request('GET /healthz', `${HOST}Connection: close\r\nX-Request-Id: last\r\n`);
const PATIENCE_MS = 5000;
const RUNS = 300;

/** Two services that are given the same requests, by the lane and past it, and so are always in the same state. */
const plain = await startServiceForFile();
const demanding = await startServiceForFile();
for (const { store } of [plain, demanding]) {
  for (let n = 0; n < 5; n++)
    await store.createPet({ name: `Rex ${n}`, categoryId: 7n, status: 'available' });
  for (const petId of [1n, 2n, 3n]) await store.createOrder({ petId });
}

let byFramework = 0;
diagnostics.subscribe('tracing:fastify.request.handler:start', (message) => {
  if ((message as { request: FastifyRequest }).request.url !== '/healthz') byFramework++;
});

interface Seen {
  readonly answers: readonly {
    readonly status: string;
    readonly headers: readonly string[];
    readonly body: string;
  }[];
  readonly log: readonly unknown[];
  /** Whether it came as far as a handler of the framework. */
  readonly framework: boolean;
}

/** Everything that can be seen of a request from outside, but for what is a matter of time or chance. */
async function see(service: Service, sent: Sent): Promise<Seen> {
  const [from, before] = [service.log.length, byFramework];
  const answers = (await exchange(service.port, sent)).split(/(?=HTTP\/1\.1 \d{3} )/);
  return {
    answers: answers.map(shown),
    log: await linesFrom(service, from, answers.length),
    framework: byFramework > before,
  };
}

/** All that comes back until the connection is closed or reset. */
async function exchange(port: number, { head, body, apart }: Sent): Promise<string> {
  const socket = connect(port, '127.0.0.1').setNoDelay().setEncoding('utf8');
  let text = '';
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  socket.on('data', (chunk: string) => (text += chunk));
  socket.on('error', () => {}).on('close', () => resolve());
  socket.write(`${head}\r\n${apart ? '' : body + LAST}`);
  if (apart) await sleep(5);
  if (apart) socket.write(body + LAST);
  await closed;
  return text;
}

const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;
const TIME = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;

function shown(answer: string): Seen['answers'][number] {
  const text = answer.replaceAll(UUID, 'made here').replaceAll(TIME, 'now');
  const [head = '', ...body] = text.split('\r\n\r\n');
  const [status = '', ...lines] = head.split('\r\n');
  const headers = lines
    .map((line) => line.replace(/^[^:]*/, (name) => name.toLowerCase()))
    // Node leaves the hint `Keep-Alive` out where the framework has said `Connection: keep-alive` itself.
    .filter((line) => !/^(?:date|keep-alive):/.test(line));
  return { status, headers: headers.sort(), body: body.join('\r\n\r\n') };
}

/** The lines of the log from number `from` on. Waits until each answer has its own. */
async function linesFrom({ log }: Service, from: number, answers: number): Promise<unknown[]> {
  const isComplete = () => log.slice(from).filter(({ msg }) => msg === 'request').length >= answers;
  for (const end = Date.now() + PATIENCE_MS; !isComplete() && Date.now() < end; ) await sleep(1);
  return log.slice(from).map(({ time, ms, requestId, ...line }) => ({
    ...line,
    requestId: String(requestId).replaceAll(UUID, 'made here'),
    timed: [typeof time, typeof ms],
  }));
}

/** How many requests the lane has answered with success, by status. */
const byLane = new Map<string, number>();

/** Sends the same request both ways and wants to see the same. */
async function compare(sent: Sent): Promise<void> {
  const { framework, ...seen } = await see(plain, sent);
  const expected = await see(demanding, { ...sent, head: sent.head + DEMANDING });
  assert.deepEqual(seen, { answers: expected.answers, log: expected.log });

  const status = seen.answers[0]?.status ?? '';
  if (!/ 20[01] /.test(status)) return;
  assert.ok(expected.framework, 'the other way is the framework');
  if (!framework) byLane.set(status, (byLane.get(status) ?? 0) + 1);
}

describe('the lane for plain requests', { timeout: 120_000 }, () => {
  after(() => {
    for (const status of ['HTTP/1.1 200 OK', 'HTTP/1.1 201 Created']) {
      assert.ok((byLane.get(status) ?? 0) > 20, `${byLane.get(status)} times ${status} by the lane`);
    }
  });

  it('answers every odd request as the framework does, to the last header, and logs the same line', async () => {
    for (const sent of oddRequests) await compare(sent);
  });

  it('answers any request so', async (t) => {
    await fc.assert(fc.asyncProperty(anyRequest, compare), { numRuns: RUNS });
    t.diagnostic(`by the lane: ${JSON.stringify(Object.fromEntries(byLane))}`);
  });

  it('answers a store that is gone as the framework does', async (t) => {
    const [one, other] = [await startService(t), await startService(t)];
    for (const { store } of [one, other]) await store.close();
    const body = '{"name":"Rex","categoryId":7}';
    for (const [line, content] of [
      ['GET /v1/pets', ''],
      ['GET /v1/pets/1', ''],
      ['GET /v1/store/inventory', ''],
      ['POST /v1/pets', body],
      ['PATCH /v1/store/orders/1', '{"status":"completed"}'],
    ] as const) {
      const head = `${line} HTTP/1.1\r\n${HOST}${AUTH}Content-Length: ${content.length}\r\n`;
      const { answers, log } = await see(one, { head, body: content, apart: false });
      assert.match(answers[0]?.status ?? '', / 503 /);
      assert.ok(answers[0]?.headers.includes('retry-after: 1'));
      assert.ok(
        log.some((line) => (line as { level: number }).level === 50),
        'a fault is logged',
      );
      const expected = await see(other, { head: head + DEMANDING, body: content, apart: false });
      assert.deepEqual(answers, expected.answers);
      assert.deepEqual(withoutStacks(log), withoutStacks(expected.log));
    }
  });
});

/** Where in the code an error came from is told, but need not be the same place. */
const withoutStacks = (log: Seen['log']): unknown =>
  JSON.parse(JSON.stringify(log, (key, value) => (key === 'stack' ? typeof value : value)));
