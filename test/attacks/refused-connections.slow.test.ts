import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { limits } from '../../src/contract/limits.ts';
import { startService } from '../support/service/service.ts';
import { startServiceForFile } from '../support/shared.ts';
import { AUTH, HOST, request } from '../support/wire/conversation.ts';
import { heldConnections } from '../support/wire/server-sockets.ts';

/** The service releases a connection within two seconds of its last response, on an idle machine. */
const GONE_MS = 2 * limits.lingerMs + 3000;
const PATIENCE_MS = 15_000;
const CLIENTS = 30;

interface Kind {
  readonly bytes: string;
  /** The status of the last response; undefined if the connection is closed for being idle long after it. */
  readonly status?: number;
  /** Sent again and again while the connection is open. */
  readonly trickled?: string;
}

const CHUNKED = `${HOST}${AUTH}Transfer-Encoding: chunked\r\n`;
const UPGRADE = 'Connection: Upgrade\r\nUpgrade: h2c\r\n';
const HEALTH = request('GET /healthz', HOST);
const atOnce: Readonly<Record<string, Kind>> = {
  garbage: { bytes: 'nonsense\r\n\r\n', status: 400 },
  'garbage after a request': { bytes: `${HEALTH}nonsense\r\n\r\n`, status: 200 },
  CONNECT: { bytes: 'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n', status: 400 },
  'headers that are too large': { bytes: `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}`, status: 431 },
  'a broken chunk': { bytes: request('POST /v1/pets', CHUNKED, 'zz\r\n'), status: 400 },
  'Connection: close': { bytes: request('GET /healthz', `${HOST}Connection: close\r\n`), status: 200 },
  'HTTP/1.0': { bytes: `GET /healthz HTTP/1.0\r\n${HOST}\r\n`, status: 200 },
  'a body that is refused before it arrives': {
    bytes: request('POST /v1/pets', `${HOST}Content-Length: 9\r\n`),
    status: 401,
  },
  'what follows an Upgrade': { bytes: `${request('GET /healthz', HOST + UPGRADE)}PRI`, status: 200 },
};
const late: Readonly<Record<string, Kind>> = {
  'nothing sent': { bytes: '', status: 408 },
  'half a request line': { bytes: 'GET /v1/p', status: 408 },
  'incomplete headers': { bytes: `GET /healthz HTTP/1.1\r\n${HOST}`, status: 408 },
  'half a body': {
    bytes: request('POST /v1/pets', `${HOST}${AUTH}Content-Length: 9\r\n`, '{'),
    status: 408,
  },
  'idle after a response': { bytes: HEALTH },
  // An empty line before a request is ignored and does not count as a request.
  'idle except for empty lines': { bytes: HEALTH, trickled: '\r\n' },
};

/** A client that never closes its side. */
function open(t: TestContext, port: number, bytes: string) {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true }).setEncoding('utf8');
  const client = { socket, text: '', at: performance.now() };
  socket.on('error', () => {});
  socket.on('data', (text: string) => {
    client.text += text;
    client.at = performance.now();
  });
  if (bytes !== '') socket.write(bytes);
  t.after(() => socket.destroy());
  return client;
}

async function assertGone(t: TestContext, port: number, { bytes, status, trickled }: Kind): Promise<void> {
  const clients = Array.from({ length: CLIENTS }, () => open(t, port, bytes));
  const trickle = setInterval(() => {
    for (const { socket } of clients) if (trickled && socket.writable) socket.write(trickled);
  }, 100);
  t.after(() => clearInterval(trickle));
  const pending = new Set(clients);
  const accepted = new Set<(typeof clients)[number]>();
  let slowest = 0;
  for (
    const end = performance.now() + PATIENCE_MS;
    pending.size > 0 && performance.now() < end;
    await sleep(50)
  ) {
    const held = heldConnections(port);
    for (const client of pending) {
      const isHeld = held.has(client.socket.localPort ?? 0);
      if (isHeld || client.text !== '') accepted.add(client);
      // Without its text it is gone on the side of the service, but its response has not been read here yet.
      if (isHeld || (status !== undefined && client.text === '') || !accepted.has(client)) continue;
      pending.delete(client);
      if (status !== undefined) slowest = Math.max(slowest, performance.now() - client.at);
    }
  }
  assert.equal(pending.size, 0, `${pending.size} of ${CLIENTS} connections are still open`);
  for (const { text } of clients)
    assert.match(text, new RegExp(`(?:^|\\})HTTP/1\\.1 ${status ?? 200} [^{]*\\{[^{]*\\}$`));
  assert.ok(slowest < GONE_MS, `gone ${slowest} ms after the answer`);
}

describe('a connection that the service closes is released soon, even if its client does not close it', {
  timeout: 180_000,
}, async () => {
  const service = await startServiceForFile();
  for (const [what, kind] of Object.entries(atOnce)) it(what, (t) => assertGone(t, service.port, kind));

  for (const [what, kind] of Object.entries(late))
    it(`in time: ${what}`, async (t) => {
      // Only those that are late anyway: on a busy machine, any other client may be slow.
      const times = kind.status === 408 ? { headersMs: 700, requestMs: 1000 } : { idleMs: 1500 };
      const { port } = await startService(t, { limits: { ...times, checkMs: 50 } });
      await assertGone(t, port, kind);
    });
});
