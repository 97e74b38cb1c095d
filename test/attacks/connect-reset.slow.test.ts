import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type AttackedService,
  assertUnharmed,
  startAttackedService,
} from '../support/service/attacked-service.ts';
import { AUTH, HOST, request } from '../support/wire/conversation.ts';

const CONNECT = 'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n';
const READY = request('GET /readyz', HOST);
const CREATE = request('POST /v1/pets', `${HOST}${AUTH}Content-Length: 29\r\n`);
const UPGRADE = request('GET /v1/pets', `${HOST}${AUTH}Connection: Upgrade\r\nUpgrade: h2c\r\n`);

/** The packets to send. The connection is reset after the last one. */
const forms: Readonly<Record<string, readonly string[]>> = {
  'CONNECT alone': [CONNECT],
  'CONNECT in one packet with a request before it': [READY + CONNECT],
  'CONNECT with bytes for the tunnel': [`${CONNECT}GET / HTTP/1.1\r\n\r\n`],
  'CONNECT while a request is in progress': [READY, CONNECT],
  'CONNECT twice': [CONNECT, CONNECT],
  'CONNECT after a create that is committed': [`${CREATE}{"name":"Rex","categoryId":7}${CONNECT}`],
  'an upgrade': [UPGRADE],
  'an upgrade with bytes after it': [`${UPGRADE}PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n`],
  'no HTTP': ['\0\x01\x02\r\n\r\n'],
  'garbage after a request': [`${READY}\0\r\n\r\n`],
  'incomplete headers': [`GET /readyz HTTP/1.1\r\nHost: ${'a'.repeat(20_000)}`],
  'a missing body': [CREATE],
  'a missing body after 100 Continue': [
    request('POST /v1/pets', `${HOST}${AUTH}Content-Length: 29\r\nExpect: 100-continue\r\n`),
  ],
  'a broken chunk': [request('POST /v1/pets', `${HOST}${AUTH}Transfer-Encoding: chunked\r\n`, 'zz\r\n')],
  'nothing sent': [],
};
const REPEATS = 300;
const AT_ONCE = 20;
/** The reset arrives before the service reads the packet, while it responds, and after it has responded. */
const PAUSES_MS = [0, 0, 1, 3, 10];

async function sendAndReset(port: number, packets: readonly string[], pauseMs: number): Promise<void> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  const closed = new Promise<void>((resolve) => socket.on('error', () => {}).once('close', () => resolve()));
  await Promise.race([once(socket, 'connect'), closed]);
  for (const packet of packets) {
    await new Promise((resolve) => socket.write(packet, resolve));
    if (pauseMs > 0) await sleep(pauseMs);
  }
  socket.resetAndDestroy();
  await closed;
}

async function attack({ port, child }: AttackedService, packets: readonly string[]): Promise<void> {
  for (let n = 0; n < REPEATS && child.exitCode === null; n += AT_ONCE) {
    await Promise.all(
      Array.from({ length: AT_ONCE }, (_, i) =>
        sendAndReset(port, packets, PAUSES_MS[(n / AT_ONCE + i) % PAUSES_MS.length] ?? 0).catch(() => {}),
      ),
    );
  }
}

const attacked = await startAttackedService({ after });

describe('a connection that is reset', { timeout: 300_000 }, () => {
  for (const [form, packets] of Object.entries(forms)) {
    it(`does not harm the service: ${form}`, async () => {
      await attack(attacked, packets);
      await assertUnharmed(attacked);
    });
  }
});

describe('a CONNECT client that keeps its connection open', {
  timeout: 120_000,
}, () => {
  for (const [form, bytes] of [
    ['alone', CONNECT],
    ['after a request', READY + CONNECT],
  ] as const) {
    it(`does not delay shutdown: ${form}`, async (t) => {
      const service = await startAttackedService(t);
      const sockets = Array.from({ length: 3 }, () =>
        connect({ port: service.port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => {}),
      );
      t.after(() => {
        for (const socket of sockets) socket.destroy();
      });
      for (const socket of sockets) {
        socket.write(bytes);
        await once(socket, 'data');
      }
      service.child.kill('SIGTERM');
      assert.equal(await service.exited, 0, service.output.stderr);
    });
  }
});
