import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AttackedService, startAttackedService } from '../support/service/attacked-service.ts';
import { AUTH, HOST, request } from '../support/wire/conversation.ts';
import { heldConnections } from '../support/wire/server-sockets.ts';

/** The service releases a connection within this time of its last response. */
const GONE_MS = 2000;
const SLACK_MS = 3000;
const CLIENTS = 30;
const TRICKLE_MS = 5000;

/** A client that never closes its side. */
interface Silent {
  readonly socket: Socket;
  text: string;
  /** When the last byte arrived. */
  at: number;
}

function open(t: TestContext, port: number, bytes: string): Silent {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true }).setEncoding('utf8');
  const client: Silent = { socket, text: '', at: performance.now() };
  socket.on('error', () => {});
  socket.on('data', (text: string) => {
    client.text += text;
    client.at = performance.now();
  });
  if (bytes !== '') socket.write(bytes);
  t.after(() => socket.destroy());
  return client;
}

interface Kind {
  readonly what: string;
  readonly bytes: string;
  /** The status of the last response. */
  readonly status?: number;
  /** When it is sent. */
  readonly afterMs?: number;
  /** Sent again and again while the connection is open. */
  readonly trickled?: string;
}

const CHUNKED = `${HOST}${AUTH}Transfer-Encoding: chunked\r\n`;
const UPGRADE = 'Connection: Upgrade\r\nUpgrade: h2c\r\n';
const atOnce: readonly Kind[] = [
  { what: 'garbage', bytes: 'nonsense\r\n\r\n', status: 400 },
  { what: 'garbage after a request', bytes: `${request('GET /healthz', HOST)}nonsense\r\n\r\n`, status: 200 },
  { what: 'CONNECT', bytes: 'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n', status: 400 },
  { what: 'headers that are too large', bytes: `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}`, status: 431 },
  { what: 'a broken chunk', bytes: request('POST /v1/pets', CHUNKED, 'zz\r\n'), status: 400 },
  { what: 'Connection: close', bytes: request('GET /healthz', `${HOST}Connection: close\r\n`), status: 200 },
  { what: 'HTTP/1.0', bytes: `GET /healthz HTTP/1.0\r\n${HOST}\r\n`, status: 200 },
  {
    what: 'a body that is refused before it arrives',
    bytes: request('POST /v1/pets', `${HOST}Content-Length: 9\r\n`),
    status: 401,
  },
  { what: 'what follows an Upgrade', bytes: `${request('GET /healthz', HOST + UPGRADE)}PRI`, status: 200 },
];
const timedOut: readonly Kind[] = [
  { what: 'nothing sent', bytes: '', status: 408, afterMs: 10_000 },
  { what: 'half a request line', bytes: 'GET /v1/p', status: 408, afterMs: 10_000 },
  {
    what: 'incomplete headers',
    bytes: `GET /healthz HTTP/1.1\r\n${HOST}`,
    status: 408,
    afterMs: 10_000,
  },
  {
    what: 'half a body',
    bytes: request('POST /v1/pets', `${HOST}${AUTH}Content-Length: 9\r\n`, '{'),
    status: 408,
    afterMs: 30_000,
  },
];
/** The connection is closed for being idle long after its response. */
const HEALTH = request('GET /healthz', HOST);
const idle: readonly Kind[] = [
  { what: 'idle after a response', bytes: HEALTH, afterMs: 65_000 },
  // An empty line before a request is ignored and does not count as a request.
  { what: 'idle except for empty lines', bytes: HEALTH, afterMs: 65_000, trickled: '\r\n' },
];

async function assertGone(
  t: TestContext,
  { port }: AttackedService,
  { bytes, status, afterMs = 0, trickled }: Kind,
): Promise<void> {
  const clients = Array.from({ length: CLIENTS }, () => open(t, port, bytes));
  const trickle = setInterval(() => {
    for (const { socket } of clients) if (trickled && socket.writable) socket.write(trickled);
  }, TRICKLE_MS);
  t.after(() => clearInterval(trickle));
  const start = performance.now();
  const late = () => performance.now() - start > afterMs + GONE_MS + SLACK_MS + 10_000;
  const pending = new Set(clients);
  const accepted = new Set<Silent>();
  let slowest = 0;
  // Listing the sockets of the machine takes time: not before the first connection can be gone.
  const pauseMs = () => (accepted.size < CLIENTS ? 50 : Math.max(200, start + afterMs - performance.now()));
  for (; pending.size > 0 && !late(); await sleep(pauseMs())) {
    const held = heldConnections(port);
    for (const client of pending) {
      const isHeld = held.has(client.socket.localPort ?? 0);
      if (isHeld || client.text !== '') accepted.add(client);
      // Gone on the side of the service, but its response has not been read here yet.
      const isUnread = status !== undefined && client.text === '';
      if (isHeld || isUnread || !accepted.has(client)) continue;
      pending.delete(client);
      if (status !== undefined) slowest = Math.max(slowest, performance.now() - client.at);
    }
  }
  assert.equal(pending.size, 0, `${pending.size} of ${CLIENTS} connections are still open`);
  for (const { text } of clients) {
    if (status !== undefined)
      assert.match(text, new RegExp(`(?:^|\\})HTTP/1\\.1 ${status} [^{]*\\{[^{]*\\}$`));
  }
  assert.ok(slowest < GONE_MS + SLACK_MS, `gone ${slowest} ms after the answer`);
}

const service = await startAttackedService({ after });
describe('a connection that the service closes', { timeout: 180_000 }, () => {
  for (const kind of atOnce) {
    it(`is released within two seconds, even if its client does not close it: ${kind.what}`, async (t) => {
      await assertGone(t, service, kind);
    });
  }
});

describe('a connection that timed out', { concurrency: true, timeout: 180_000 }, () => {
  for (const kind of [...timedOut, ...idle]) {
    it(`is released within two seconds, even if its client does not close it: ${kind.what}`, async (t) => {
      await assertGone(t, service, kind);
    });
  }
});
