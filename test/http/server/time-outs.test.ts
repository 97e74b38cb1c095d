import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { limits as production } from '../../../src/contract/limits.ts';
import type { NewPet } from '../../../src/contract/pet.ts';
import { assertError } from '../../support/assert.ts';
import { startService } from '../../support/service/service.ts';
import { startServiceForFile } from '../../support/shared.ts';
import { AUTH, type Conversation, converse, HOST, request } from '../../support/wire/conversation.ts';
import { fillKernel, sizeOfAnswer } from '../../support/wire/fill-kernel.ts';

/** Long enough that a busy machine does not take a request that is sent at once for a late one. */
const limits = { headersMs: 2000, requestMs: 3000, responseMs: 3000, checkMs: 30 };
const { headersMs, requestMs, responseMs, checkMs } = limits;
const service = await startServiceForFile({ limits });

const CREATE = 'POST /v1/pets';
const LIST = request('GET /v1/pets');
const PET = { name: 'Rex', categoryId: 7 };
const LENGTH = 'Content-Length: 1000\r\n';

/** Requests 600 kB, the largest possible response. */
const LARGE = request('GET /v1/pets?limit=100&status=sold');
const large: NewPet = { name: '\u0001'.repeat(1000), categoryId: 7n, status: 'sold' };
await Promise.all(Array.from({ length: 100 }, () => service.store.createPet(large)));

/** Asserts that `work` ends at this limit of the service, or later on a busy machine, but before that of production. */
async function endsAt(limit: keyof typeof limits, work: Promise<unknown>): Promise<void> {
  const bound = limits[limit];
  const start = performance.now();
  await work;
  const took = performance.now() - start;
  assert.ok(took > bound - checkMs, `after ${took} ms, too early for ${bound}`);
  assert.ok(took < production[limit], `after ${took} ms, too late for ${bound}`);
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

describe('a slow client', { concurrency: true, timeout: 60_000 }, () => {
  for (const [what, begin] of [
    ['nothing at all', () => {}],
    ['half a request line', ({ send }) => send('GET /v1/p')],
    ['a head without its end', ({ send }) => send(`GET /v1/pets HTTP/1.1\r\n${HOST}${AUTH}`)],
    ['a byte at a time', (connection) => trickle(connection, LIST, 100)],
  ] as [string, (connection: Conversation) => void][]) {
    it(`gets 408 and a closed connection when its headers are late: ${what}`, async () => {
      const connection = converse(service.port);
      begin(connection);
      await endsAt('headersMs', assertTimedOut(connection));
    });
  }

  it('that sends a body late has the whole idle time after the answer', async (t) => {
    const { port } = await startService(t, { limits: { idleMs: 5000, checkMs } });
    const { socket, send, next } = converse(port);
    send(request(CREATE, `${HOST}${AUTH}Content-Length: 29\r\n`));
    await sleep(3000);
    send(JSON.stringify(PET));
    assert.equal((await next()).status, 201);
    await sleep(2500);
    send(LIST);
    assert.equal((await next()).status, 200);
    socket.destroy();
  });

  it('gets 408 also for a later request on the same connection', async () => {
    const connection = converse(service.port);
    connection.send(LIST);
    assert.equal((await connection.next()).status, 200);
    await sleep(headersMs / 2);
    connection.send('GET /v1/pets HT');
    await endsAt('headersMs', assertTimedOut(connection));
  });

  it('gets 408 and a closed connection when its body is late, even if it keeps sending a byte of it', async () => {
    const connection = converse(service.port);
    connection.send(request(CREATE, HOST + AUTH + LENGTH));
    // No byte is in transit near the limit: it would turn the close into a reset.
    trickle(connection, ' '.repeat(2), requestMs * 0.4);
    await endsAt('requestMs', assertTimedOut(connection));
  });

  for (const { what, head, status, code } of [
    { what: 'a 401', head: HOST + LENGTH, status: 401, code: 'unauthorized' },
    {
      what: 'a 413',
      head: `${HOST}${AUTH}Content-Length: 65537\r\n`,
      status: 413,
      code: 'payload_too_large',
    },
  ] as const) {
    it(`gets a closed connection with ${what} that does not wait for its body`, async () => {
      const connection = converse(service.port);
      connection.send(request(CREATE, head));
      const answer = await connection.next();
      assertError(answer, status, code);
      assert.equal(answer.headers.connection, 'close');
      assert.deepEqual(await connection.rest(), []);
    });
  }

  it('does not delay other clients', async () => {
    for (const end = performance.now() + requestMs; performance.now() < end; await sleep(100)) {
      assert.equal((await service.call('GET', '/v1/pets')).status, 200);
      assert.equal((await service.call('POST', '/v1/pets', { body: PET })).status, 201);
    }
  });

  it('is not an idle client: a connection between requests stays open and gets no unsolicited response', async () => {
    const { socket, send, next } = converse(service.port);
    send(LIST);
    assert.equal((await next()).status, 200);
    await sleep(2 * headersMs);
    assert.equal(socket.readableLength, 0);
    send(LIST);
    assert.equal((await next()).status, 200);
    socket.destroy();
  });

  it('is disconnected if it does not read its responses in time', async () => {
    const size = await sizeOfAnswer(service.port, LARGE);
    const connection = converse(service.port);
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    connection.socket
      .on('error', () => {})
      .on('close', () => resolve())
      .pause();
    const sendAll = async () => {
      await fillKernel(connection.socket, service.port, LARGE, size);
      // Only what is sent shows to a client that does not read whether the connection is still open.
      trickle(connection, '\r\n'.repeat(1000));
      await closed;
    };
    await endsAt('responseMs', sendAll());
  });

  it('stays connected if it reads its response before that', async (t) => {
    const { port } = await startService(t, { limits: { checkMs }, observe: () => service.store });
    const { socket, send, next } = converse(port);
    socket.pause();
    send(LARGE);
    await sleep(responseMs / 3);
    assert.equal((await next()).status, 200);
    send(LIST);
    assert.equal((await next()).status, 200);
    socket.destroy();
  });
});
