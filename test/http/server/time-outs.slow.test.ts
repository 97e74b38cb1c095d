import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NewPet } from '../../../src/contract/pet.ts';
import { assertError } from '../../support/assert.ts';
import { startService } from '../../support/service/service.ts';
import { startServiceForFile } from '../../support/shared.ts';
import { AUTH, type Conversation, converse, HOST, request } from '../../support/wire/conversation.ts';
import { fillKernel, sizeOfAnswer } from '../../support/wire/fill-kernel.ts';

const checkMs = 30;
const [headersMs, requestMs, responseMs] = [300, 900, 1200];
/** Each service has only the short limit that a test is about: on a busy machine, any other client may be slow. */
const lateHeaders = await startServiceForFile({ limits: { headersMs, checkMs } });
const lateBody = await startServiceForFile({ limits: { headersMs: requestMs, requestMs, checkMs } });
const lateReader = await startServiceForFile({ limits: { responseMs, checkMs } });
const PATIENT_MS = 6000;
const patient = await startServiceForFile({
  limits: { headersMs: PATIENT_MS, responseMs: PATIENT_MS, checkMs },
});
/** How much later than its limit a time-out may fire on a busy machine: less than the limits of production. */
const SLACK_MS = 8000;

const CREATE = 'POST /v1/pets';
const LIST = request('GET /v1/pets');
const PET = { name: 'Rex', categoryId: 7 };
const LENGTH = 'Content-Length: 1000\r\n';

/** Requests 600 kB, the largest possible response. */
const LARGE = request('GET /v1/pets?limit=100&status=sold');
const large: NewPet = { name: '\u0001'.repeat(1000), categoryId: 7n, status: 'sold' };
for (const { store } of [lateReader, patient]) await store.createPets(Array(100).fill(large));

/** Asserts that `work` ends `bound` milliseconds from now, within the slack. */
async function endsAt(bound: number, work: Promise<unknown>): Promise<void> {
  const start = performance.now();
  await work;
  const took = performance.now() - start;
  assert.ok(took > bound - checkMs, `after ${took} ms, too early for ${bound}`);
  assert.ok(took < bound + SLACK_MS, `after ${took} ms, too late for ${bound}`);
}

/** Sends a byte at a time until the server ends the connection. */
function trickle({ socket }: Conversation, bytes: string, everyMs = 30): void {
  let at = 0;
  const timer = setInterval(() => socket.write(bytes.charAt(at++)), everyMs);
  socket.on('end', () => clearInterval(timer)).on('close', () => clearInterval(timer));
}

async function assertTimedOut({ next, rest }: Conversation): Promise<void> {
  assertError(await next(), 408, 'request_timeout');
  assert.deepEqual(await rest(), []);
}

describe('a slow client', { concurrency: true, timeout: 120_000 }, () => {
  for (const [what, begin] of [
    ['nothing at all', () => {}],
    ['half a request line', ({ send }) => send('GET /v1/p')],
    ['a head without its end', ({ send }) => send(`GET /v1/pets HTTP/1.1\r\n${HOST}${AUTH}`)],
    ['a byte at a time', (connection) => trickle(connection, LIST)],
  ] as [string, (connection: Conversation) => void][]) {
    it(`gets 408 and a closed connection when its headers are late: ${what}`, async () => {
      const connection = converse(lateHeaders.port);
      begin(connection);
      await endsAt(headersMs, assertTimedOut(connection));
    });
  }

  it('that sends a body late has the whole idle time after the answer', async (t) => {
    const { port } = await startService(t, { limits: { idleMs: PATIENT_MS, checkMs } });
    const { socket, send, next } = converse(port);
    send(request(CREATE, `${HOST}${AUTH}Content-Length: 29\r\n`));
    await sleep(PATIENT_MS + 10 * checkMs);
    send(JSON.stringify(PET));
    assert.equal((await next()).status, 201);
    await sleep(10 * checkMs);
    send(LIST);
    assert.equal((await next()).status, 200);
    socket.destroy();
  });

  it('is not an idle client; it gets 408 also for a later request on the same connection', async () => {
    const connection = converse(patient.port);
    for (const pauseMs of [PATIENT_MS + 10 * checkMs, 0]) {
      connection.send(LIST);
      assert.equal((await connection.next()).status, 200);
      await sleep(pauseMs);
      assert.equal(connection.socket.readableLength, 0, 'no unsolicited response');
    }
    connection.send('GET /v1/pets HT');
    await endsAt(PATIENT_MS, assertTimedOut(connection));
  });

  it('gets 408 and a closed connection when its body is late, even if it keeps sending a byte of it', async () => {
    const connection = converse(lateBody.port);
    connection.send(request(CREATE, HOST + AUTH + LENGTH));
    // No byte is in transit near the limit: it would turn the close into a reset.
    trickle(connection, ' '.repeat(2), requestMs * 0.4);
    await endsAt(requestMs, assertTimedOut(connection));
  });

  it('is disconnected if it does not read its responses in time', async () => {
    const size = await sizeOfAnswer(patient.port, LARGE);
    const connection = converse(lateReader.port);
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    connection.socket
      .on('error', () => {})
      .on('close', () => resolve())
      .pause();
    const sendAll = async () => {
      await fillKernel(connection.socket, lateReader.port, LARGE, size);
      // Only what is sent shows to a client that does not read whether the connection is still open.
      trickle(connection, '\r\n'.repeat(1000));
      await closed;
    };
    await endsAt(responseMs, sendAll());
  });
});
