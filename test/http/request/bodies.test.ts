import assert from 'node:assert/strict';
import { once } from 'node:events';
import { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { limits } from '../../../src/contract/limits.ts';
import { assertError } from '../../support/assert.ts';
import { eventuallyEqual, PATIENCE_MS } from '../../support/eventually.ts';
import { sum } from '../../support/measure/metrics.ts';
import { startServiceForFile } from '../../support/shared.ts';
import { AUTH, converse, HOST, request } from '../../support/wire/conversation.ts';

// A client that is slow to read, because the machine is busy, still gets its answer.
const service = await startServiceForFile({ limits: { lingerMs: PATIENCE_MS } });
const KIB = 1024;
const LIMIT = 64 * KIB;
const CREATE = 'POST /v1/pets';
const PET = '{"name":"Rex","categoryId":7}';

/** White space after the value is valid JSON. */
const petOf = (bytes: number): string => PET.padEnd(bytes);
const lengthOf = (bytes: number): string => `Content-Length: ${bytes}\r\n`;
const EXPECT = 'Expect: 100-continue\r\n';
const CHUNKED = 'Transfer-Encoding: chunked\r\n';
const LAST_CHUNK = '0\r\n\r\n';

/** In chunks of 16 KiB, such as a streaming client sends. */
function chunks(body: string, parts: readonly string[] = body.match(/.{1,16384}/gs) ?? []): string {
  return parts.map((part) => `${part.length.toString(16)}\r\n${part}\r\n`).join('') + LAST_CHUNK;
}

const framings = [
  { by: 'Content-Length', bytes: (body: string) => framed(lengthOf(body.length), body) },
  { by: 'chunks', bytes: (body: string) => framed(CHUNKED, chunks(body)) },
];

const framed = (framing: string, body: string): string => request(CREATE, HOST + AUTH + framing, body);

it('a body is put together from a thousand chunks that arrive after its head', {
  timeout: 30_000,
}, async () => {
  const { socket, send, next } = converse(service.port);
  send(framed(CHUNKED + EXPECT, ''));
  await next();
  const name = Array.from({ length: 900 }, (_, n) => String.fromCharCode(97 + (n % 26))).join('');
  const body = JSON.stringify({ name, categoryId: 7 });
  send(chunks(body, [...body]));
  const { status, body: created } = await next();
  assert.equal(status, 201);
  assert.equal(JSON.parse(created).name, name);
  socket.destroy();
});

it('a body in more chunks than any client has reason to send is refused before the last one arrives', {
  timeout: 30_000,
}, async () => {
  const body = petOf(1500);
  const { send, next, rest } = converse(service.port);
  send(framed(CHUNKED, chunks(body, [...body]).slice(0, -LAST_CHUNK.length)));
  assertError(await next(), 400, 'bad_request');
  assert.deepEqual(await rest(), []);
});

describe('a client that leaves in the middle of its body', { timeout: 30_000 }, () => {
  const active = async () => sum((await service.call('GET', '/metrics')).text, 'http_server_active_requests');

  for (const { how, leave } of [
    { how: 'closes', leave: (socket: Socket) => socket.destroy() },
    { how: 'resets', leave: (socket: Socket) => socket.resetAndDestroy() },
  ]) {
    it(`is no longer counted as active once it ${how} the connection`, async () => {
      const { socket, send, next } = converse(service.port);
      send(framed(lengthOf(PET.length) + EXPECT, ''));
      assert.equal((await next()).status, 100);
      assert.equal(await active(), 2, 'the scrape and the request');
      send(PET.slice(0, 5));
      leave(socket);
      await eventuallyEqual(active, 1);
    });
  }
});

describe('the limit of 64 KiB on a body', { timeout: 30_000 }, () => {
  for (const { by, bytes } of framings) {
    it(`accepts exactly 64 KiB sent by ${by}`, async () => {
      const { socket, send, next } = converse(service.port);
      send(bytes(petOf(LIMIT)));
      assert.equal((await next()).status, 201);
      socket.destroy();
    });

    it(`refuses 64 KiB plus one byte sent by ${by}`, async () => {
      const { socket, send, next } = converse(service.port);
      send(bytes(petOf(LIMIT + 1)));
      assertError(await next(), 413, 'payload_too_large');
      socket.destroy();
    });

    for (const [status, code, auth] of [
      [413, 'payload_too_large', AUTH],
      [401, 'unauthorized', ''],
    ] as const)
      it(`still delivers the ${status} to a client that keeps sending 1 MB by ${by}, and closes the connection`, async () => {
        const { socket, next, rest } = converse(service.port);
        const sent = bytes(petOf(KIB * KIB)).replace(AUTH, auth);
        const [answer] = await Promise.all([next(), sendSlowly(socket, sent)]);
        assertError(answer, status, code);
        // Otherwise a proxy would send another request into the rest of the body.
        assert.equal(answer.headers.connection, 'close');
        assert.deepEqual(await rest(), []);
      });
  }

  it('is enforced while chunks arrive, before the last one', async () => {
    const { socket, send, next } = converse(service.port);
    send(framed(CHUNKED, chunks(petOf(2 * LIMIT)).slice(0, LIMIT + KIB)));
    assertError(await next(), 413, 'payload_too_large');
    socket.destroy();
  });
});

/** Sends in pieces, as fast as the server reads, so that most of it is still unsent when the response arrives. */
async function sendSlowly(socket: Socket, bytes: string): Promise<void> {
  for (let at = 0; at < bytes.length; at += LIMIT) {
    if (!socket.write(bytes.slice(at, at + LIMIT))) await once(socket, 'drain');
  }
}

describe('a body in tiny chunks, or a large one', { timeout: 30_000 }, () => {
  const TINY = chunks('a'.repeat(500), [...'a'.repeat(500)]);
  for (const [what, head, status, parsed] of [
    ['for an operation that reads it', request(CREATE, HOST + AUTH + CHUNKED), 400, 500],
    ['without a key', request(CREATE, HOST + CHUNKED), 401, 0],
    ['but large, without a key', framed(lengthOf(LIMIT), petOf(LIMIT)).replace(AUTH, ''), 401, 0],
    ['with what is no key', request(CREATE, `${HOST}Authorization: Bearer no\r\n${CHUNKED}`), 401, 0],
    ['without a key, to be asked for', request(CREATE, HOST + CHUNKED + EXPECT), 401, 0],
    ['of another type', request(CREATE, `${HOST}${AUTH}Content-Type: text/plain\r\n${CHUNKED}`), 415, 0],
    ['for an operation without a body', request('GET /v1/pets', HOST + AUTH + CHUNKED), 200, 0],
    ['for a path that needs no key', request('GET /readyz', HOST + CHUNKED), 200, 0],
    ['for a path that does not exist', request('POST /v1/nothing', HOST + AUTH + CHUNKED), 404, 0],
    ['after too many headers', request(CREATE, HOST + AUTH + CHUNKED + 'x:\r\n'.repeat(200)), 431, 0],
    ['after another request', request('GET /healthz', HOST) + request(CREATE, HOST + AUTH + CHUNKED), 200, 0],
  ] as const)
    it(`is parsed only if a stage may read it: ${what}`, async (t) => {
      const { mock: pushed } = t.mock.method(IncomingMessage.prototype, 'push');
      const { socket, send, next } = converse(service.port);
      send(head + TINY);
      const answer = await next();
      assert.deepEqual([answer.status, answer.headers.connection], [status, parsed ? 'keep-alive' : 'close']);
      assert.equal(pushed.calls.filter(({ arguments: [chunk] }) => chunk !== null).length, parsed);
      socket.destroy();
    });
});

describe('the bodies of all clients together', { timeout: 60_000 }, () => {
  const fitting = limits.heldBodyBytes / LIMIT;
  const UNFINISHED = framed(lengthOf(LIMIT), petOf(LIMIT).slice(0, -1));

  it('are bounded exactly: beyond it, the oldest gets 503. Those that have ended in any way do not count', async () => {
    const broken = framed(CHUNKED, chunks(petOf(LIMIT / 2)).replace(LAST_CHUNK, 'nonsense\r\n'));
    for (const [sent, status] of [
      [framed(lengthOf(LIMIT), petOf(LIMIT)), 201],
      [framed(lengthOf(LIMIT), '{'.repeat(LIMIT)), 400],
      [framed(CHUNKED, chunks(petOf(2 * LIMIT))), 413],
      [framed(CHUNKED, chunks(petOf(1500), [...petOf(1500)])), 400],
      [broken, 400],
      [UNFINISHED.replace(AUTH, ''), 401],
      [UNFINISHED.replace(CREATE, 'GET /v1/pets'), 200],
    ] as const) {
      const { socket, send, next } = converse(service.port);
      send(sent);
      assert.equal((await next()).status, status);
      socket.destroy();
    }
    for (const leave of ['destroy', 'resetAndDestroy'] as const) {
      const { socket, send } = converse(service.port);
      send(UNFINISHED);
      await sleep(50);
      socket[leave]();
      await sleep(50);
    }

    const clients = Array.from({ length: fitting + 1 }, () => converse(service.port));
    clients[0]?.send(UNFINISHED);
    await sleep(50);
    for (const { send } of clients.slice(1)) send(UNFINISHED);
    const answers = clients.map(async ({ next }) => next());
    const refused = await Promise.race(answers);
    assert.match(assertError(refused, 503, 'unavailable'), /^Too many request bodies are arriving at once/);
    assert.equal(refused.headers['retry-after'], '1');
    const { text } = await service.call('GET', '/metrics');
    assert.equal(sum(text, 'animal_store_rejected_requests_total', 'reason="overloaded"'), 1);
    for (const { socket } of clients) if (socket.writable) socket.write(' ');
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    assert.deepEqual(statuses, [503, ...Array(fitting).fill(201)]);
    for (const { socket } of clients) socket.destroy();
  });
});

describe('a connection after a refused body', { timeout: 30_000 }, () => {
  it('serves the next request if the whole body has arrived', async () => {
    const { socket, send, next } = converse(service.port);
    send(request(CREATE, HOST + lengthOf(PET.length), PET));
    assertError(await next(), 401, 'unauthorized');
    send(request('GET /v1/pets'));
    assert.equal((await next()).status, 200);
    socket.destroy();
  });
});

describe('Expect: 100-continue', { timeout: 30_000 }, () => {
  it('gets 100 Continue for a body that the service will read, also again on the same connection', async () => {
    const { socket, send, next } = converse(service.port);
    for (const _ of [1, 2]) {
      send(framed(EXPECT + lengthOf(PET.length), ''));
      assert.equal((await next()).status, 100);
      send(PET);
      assert.equal((await next()).status, 201);
    }
    socket.destroy();
  });

  it('gets no 100 in HTTP/1.0, which does not support it', async () => {
    const { send, rest } = converse(service.port);
    const answers = rest();
    send(framed(EXPECT + lengthOf(PET.length), '').replace('HTTP/1.1', 'HTTP/1.0'));
    // Long enough for a response that must not be sent to arrive.
    await sleep(300);
    send(PET);
    assert.deepEqual(
      (await answers).map(({ status }) => status),
      [201],
    );
  });

  it('gets the error instead if the body will not be read', async () => {
    const length = lengthOf(5);
    for (const [line, head, status, code] of [
      [CREATE, HOST + length, 401, 'unauthorized'],
      [CREATE, `${HOST}Authorization: Bearer no\r\n${length}`, 401, 'unauthorized'],
      [CREATE, HOST + AUTH + lengthOf(LIMIT + 1), 413, 'payload_too_large'],
      [CREATE, `${HOST}${AUTH}Content-Type: text/plain\r\n${length}`, 415, 'unsupported_media_type'],
      [CREATE, AUTH + length, 400, 'bad_request'],
      ['PUT /v1/pets', HOST + AUTH + length, 405, 'method_not_allowed'],
    ] as const) {
      const { socket, send, next } = converse(service.port);
      send(request(line, head + EXPECT));
      assertError(await next(), status, code);
      socket.destroy();
    }
  });
});
