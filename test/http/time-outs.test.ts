import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NewPet } from '../../src/contract/pet.ts';
import { assertError } from '../support/assert.ts';
import { AUTH, type Conversation, converse, HOST, request } from '../support/conversation.ts';
import { startServiceForFile } from '../support/shared.ts';

const service = await startServiceForFile();
const HEADERS_MS = 10_000;
const REQUEST_MS = 30_000;
const UNREAD_MS = 30_000;
/** Unread answers are looked for so often: one is found a sweep late, and its client cut another sweep late. */
const SWEEP_MS = 5000;
/** "Within seconds of the bound." */
const SLACK_MS = 4000;

const CREATE = 'POST /v1/pets';
const LIST = request('GET /v1/pets');
const PET = { name: 'Rex', categoryId: 7 };
const LENGTH = 'Content-Length: 1000\r\n';

/** Asks for 600 kB, as much as an answer can be. No connection holds twenty of them that nobody reads. */
const LARGE = request('GET /v1/pets?limit=100&status=sold');
const large: NewPet = { name: '\u0001'.repeat(1000), categoryId: 7n, status: 'sold' };
await Promise.all(Array.from({ length: 100 }, () => service.store.createPet(large)));

/** Holds the end of `work` to the bound it has from now on. */
async function endsAt(bound: number, work: Promise<unknown>, slack = SLACK_MS): Promise<void> {
  const start = performance.now();
  await work;
  const took = performance.now() - start;
  assert.ok(took > bound - 500, `after ${took} ms, too early for ${bound}`);
  assert.ok(took < bound + slack, `after ${took} ms, too late for ${bound}`);
}

/** Sends a byte at a time until the server ends the connection. */
function trickle({ socket }: Conversation, bytes: string, everyMs = 1000): void {
  let at = 0;
  const timer = setInterval(() => socket.write(bytes.charAt(at++)), everyMs);
  socket.on('end', () => clearInterval(timer)).on('close', () => clearInterval(timer));
}

async function assertTimedOut({ next, rest }: Conversation): Promise<void> {
  assertError(await next(), 408, 'request_timeout');
  assert.deepEqual(await rest(), []);
}

describe('a client that keeps the service waiting', { concurrency: true, timeout: 60_000 }, () => {
  for (const [what, begin] of [
    ['nothing at all', () => {}],
    ['half a request line', ({ send }) => send('GET /v1/p')],
    ['a head without its end', ({ send }) => send(`GET /v1/pets HTTP/1.1\r\n${HOST}${AUTH}`)],
    ['a byte a second', (connection) => trickle(connection, LIST)],
  ] as [string, (connection: Conversation) => void][]) {
    it(`gets 408 and a closed connection after 10 s: ${what}`, async () => {
      const connection = converse(service.port);
      begin(connection);
      await endsAt(HEADERS_MS, assertTimedOut(connection));
    });
  }

  it('gets 408 also on a connection that was answered before', async () => {
    const connection = converse(service.port);
    connection.send(LIST);
    assert.equal((await connection.next()).status, 200);
    await sleep(3000);
    connection.send('GET /v1/pets HT');
    await endsAt(HEADERS_MS, assertTimedOut(connection));
  });

  it('gets 408 and a closed connection after 30 s, though a byte of its body comes every second', async () => {
    const connection = converse(service.port);
    connection.send(request(CREATE, HOST + AUTH + LENGTH));
    trickle(connection, ' '.repeat(100));
    await endsAt(REQUEST_MS, assertTimedOut(connection));
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
    it(`gets nothing more than a closed connection after 30 s when it was given ${what} before`, async () => {
      const connection = converse(service.port);
      connection.send(request(CREATE, head));
      // No byte is under way near the bound: it would turn the close into a reset.
      trickle(connection, ' '.repeat(100), 7000);
      const answered = endsAt(
        0,
        connection.next().then((answer) => assertError(answer, status, code)),
      );
      await endsAt(
        REQUEST_MS,
        answered.then(async () => assert.deepEqual(await connection.rest(), [])),
      );
    });
  }

  it('does not keep others from being served', async () => {
    for (const end = performance.now() + REQUEST_MS; performance.now() < end; await sleep(250)) {
      assert.equal((await service.call('GET', '/v1/pets')).status, 200);
      assert.equal((await service.call('POST', '/v1/pets', { body: PET })).status, 201);
    }
  });

  it('is not what an idle connection between requests is: that is kept, and gets no answer unasked', async () => {
    const { socket, send, next } = converse(service.port);
    send(LIST);
    assert.equal((await next()).status, 200);
    await sleep(HEADERS_MS + SLACK_MS);
    assert.equal(socket.readableLength, 0);
    send(LIST);
    assert.equal((await next()).status, 200);
    socket.destroy();
  });

  it('is cut after 30 s when it leaves its answers unread', async () => {
    const connection = converse(service.port);
    connection.send(LARGE.repeat(16));
    // Empty lines mean nothing between requests. Sending them shows whether the connection is still there.
    trickle(connection, '\r\n'.repeat(100), 500);
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    connection.socket.on('error', () => {}).on('close', () => resolve());
    await endsAt(UNREAD_MS, closed, 2 * SWEEP_MS + SLACK_MS);
  });

  it('is not one that reads its answers before that', async () => {
    const { socket, send, next } = converse(service.port);
    send(LARGE.repeat(16));
    await sleep(UNREAD_MS - 2 * SWEEP_MS);
    for (let n = 0; n < 16; n++) assert.equal((await next()).status, 200);
    send(LIST);
    assert.equal((await next()).status, 200);
    socket.destroy();
  });

  it('is not one that reads on, though slower than it is answered', async () => {
    const { socket, send, next } = converse(service.port);
    send(LARGE.repeat(16));
    const end = performance.now() + UNREAD_MS + 2 * SWEEP_MS + 1500;
    for (; performance.now() < end; await sleep(200)) {
      assert.equal((await next()).status, 200);
      send(LARGE);
    }
    socket.destroy();
  });
});
