import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { petsIn } from '../support/database/database.ts';
import { type AttackedService, startAttackedService } from '../support/service/attacked-service.ts';
import { AUTH, converse, HOST, request } from '../support/wire/conversation.ts';
import type { RawAnswer } from '../support/wire/socket.ts';

const H2C = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n';
const WEBSOCKET =
  'Upgrade: websocket\r\nConnection: keep-alive, upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';
const create = (name: string, head = '') => {
  const body = JSON.stringify({ name, categoryId: 7 });
  return request('POST /v1/pets', `${HOST}${AUTH}${head}Content-Length: ${body.length}\r\n`, body);
};
const NEXT = create('invented');

/** Long enough for a request that is wrongly executed to be stored. */
const SETTLED_MS = 300;
const CLOSED_WITHIN_MS = 5000;

async function send({ port }: AttackedService, packets: readonly string[]): Promise<RawAnswer[]> {
  const { socket, send, rest } = converse(port);
  const answers = rest();
  socket.setNoDelay().setTimeout(CLOSED_WITHIN_MS, () => {
    socket.destroy(new Error('the service did not close the connection'));
  });
  for (const packet of packets) {
    if (socket.writable) send(packet);
    await sleep(30);
  }
  return answers.finally(() => sleep(SETTLED_MS));
}

interface Form {
  readonly what: string;
  readonly packets: readonly string[];
  /** The last response has `Connection: close`. */
  readonly statuses: readonly number[];
  readonly stored?: readonly string[];
}

const upgraded = (line = 'GET /v1/pets', head = H2C) => request(line, HOST + AUTH + head);

const forms: readonly Form[] = [
  { what: 'alone', packets: [upgraded()], statuses: [200] },
  { what: 'for WebSocket', packets: [upgraded('GET /v1/pets', WEBSOCKET)], statuses: [200] },
  { what: 'without a key', packets: [request('GET /v1/pets', HOST + H2C)], statuses: [401] },
  { what: 'for a path that does not exist', packets: [upgraded('GET /v1/nothing')], statuses: [404] },
  { what: 'for a health check', packets: [upgraded('GET /healthz')], statuses: [200] },
  { what: 'with a body', packets: [create('asked', H2C)], statuses: [201], stored: ['asked'] },
  {
    what: 'with a body in a separate packet',
    packets: create('asked', H2C).split(/(?=\{)/),
    statuses: [201],
    stored: ['asked'],
  },
  { what: 'with another request in the same packet', packets: [upgraded() + NEXT], statuses: [200] },
  {
    what: 'with a body and another request in the same packet',
    packets: [create('asked', H2C) + NEXT],
    statuses: [201],
    stored: ['asked'],
  },
  {
    what: 'after a request, and before another',
    packets: [create('asked') + upgraded() + NEXT],
    statuses: [201, 200],
    stored: ['asked'],
  },
  {
    what: 'with another request split inside a header whose value looks like a request',
    packets: [`${upgraded()}GET /healthz HTTP/1.1\r\n${HOST}X-Note: `, NEXT],
    statuses: [200],
  },
  {
    what: 'with another request split inside its body, which looks like a request',
    packets: [`${upgraded()}POST /v1/pets HTTP/1.1\r\n${HOST}${AUTH}Content-Length: 500\r\n\r\n`, NEXT],
    statuses: [200],
  },
];

describe('a request to upgrade the connection', { timeout: 180_000 }, () => {
  for (const { what, packets, statuses, stored = [] } of forms) {
    it(`is answered like any other request and is the last on its connection: ${what}`, async (t) => {
      const service = await startAttackedService(t);
      // A packet that arrives after the close resets the connection. The responses have been read by then.
      const answers = await send(service, packets);
      assert.deepEqual(
        answers.map(({ status }) => status),
        statuses,
      );
      assert.equal(answers.at(-1)?.headers.connection, 'close');
      assert.equal(answers.at(-1)?.headers.upgrade, undefined);
      assert.deepEqual(
        petsIn(service.databaseFile).map(({ name }) => name),
        stored,
      );
    });
  }

  it('closes the connection for requests in later packets, too', async (t) => {
    const service = await startAttackedService(t);
    const { socket, send, next } = converse(service.port);
    socket.on('error', () => {});
    send(upgraded());
    const { status, headers } = await next();
    assert.deepEqual([status, headers.connection], [200, 'close']);
    send(NEXT);
    await assert.rejects(next());
    await sleep(SETTLED_MS);
    assert.deepEqual(petsIn(service.databaseFile), []);
  });
});
