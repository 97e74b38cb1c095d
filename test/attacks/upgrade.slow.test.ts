import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { petsIn } from '../support/database/database.ts';
import { type AttackedService, startAttackedService } from '../support/service/attacked-service.ts';
import { AUTH, type Conversation, converse, HOST, request } from '../support/wire/conversation.ts';
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

/** Sends a packet that the service reads alone: when it has answered another client, it has read what came before. */
async function sendAlone(
  { healthMs }: AttackedService,
  { socket }: Conversation,
  packet: string,
): Promise<void> {
  if (socket.connecting) await once(socket.setNoDelay(), 'connect');
  if (socket.writable) socket.write(packet);
  await healthMs();
}

async function sendAll(service: AttackedService, packets: readonly string[]): Promise<RawAnswer[]> {
  const client = converse(service.port);
  const { socket, rest } = client;
  const answers = rest();
  socket.setTimeout(CLOSED_WITHIN_MS, () => {
    socket.destroy(new Error('the service did not close the connection'));
  });
  for (const packet of packets) await sendAlone(service, client, packet);
  return answers.finally(() => sleep(SETTLED_MS));
}

const upgraded = (line = 'GET /v1/pets', head = H2C) => request(line, HOST + AUTH + head);
const CHUNKED = request(
  'POST /v1/pets',
  `${HOST}${AUTH}${H2C}Transfer-Encoding: chunked\r\n`,
  '1f\r\n{"name":"asked","categoryId":7}\r\n0\r\n\r\n',
);

/** What asks for another protocol, in its packets, and the status of the answer. */
const ordinary: readonly [what: string, packets: readonly string[], status: number][] = [
  ['alone', [upgraded()], 200],
  ['for WebSocket', [upgraded('GET /v1/pets', WEBSOCKET)], 200],
  ['without a key', [request('GET /v1/pets', HOST + H2C)], 401],
  ['for a path that does not exist', [upgraded('GET /v1/nothing')], 404],
  ['with a body', [create('asked', H2C)], 201],
  ['with a body in a separate packet', create('asked', H2C).split(/(?=\{)/), 201],
];

interface Form {
  readonly what: string;
  readonly packets: readonly string[];
  readonly status: number;
  readonly stored?: readonly string[];
}

/** Where bytes may be lost, the connection closes. */
const last: readonly Form[] = [
  { what: 'with another request in the same packet', packets: [upgraded() + NEXT], status: 200 },
  {
    what: 'with a body and another request in the same packet',
    packets: [create('asked', H2C) + NEXT],
    status: 201,
    stored: ['asked'],
  },
  {
    what: 'with the end of its body and another request in the same packet',
    packets: (create('asked', H2C) + NEXT).split(/(?=asked)/),
    status: 201,
    stored: ['asked'],
  },
  {
    what: 'after a request, and before another',
    packets: [create('asked') + upgraded() + NEXT],
    status: 201,
    stored: ['asked'],
  },
  { what: 'with a body in chunks', packets: [CHUNKED, NEXT], status: 201, stored: ['asked'] },
  { what: 'with a head in two packets', packets: [...upgraded().split(/(?=Upgrade: )/), NEXT], status: 200 },
  {
    what: 'whose head ends in the next packet',
    packets: [upgraded().slice(0, -2), `\r\n${NEXT}`],
    status: 200,
  },
  {
    what: 'with another request split inside a header whose value looks like a request',
    packets: [`${upgraded()}GET /healthz HTTP/1.1\r\n${HOST}X-Note: `, NEXT],
    status: 200,
  },
  {
    what: 'with another request split inside its body, which looks like a request',
    packets: [`${upgraded()}POST /v1/pets HTTP/1.1\r\n${HOST}${AUTH}Content-Length: 500\r\n\r\n`, NEXT],
    status: 200,
  },
];

describe('a request for another protocol', { timeout: 180_000 }, () => {
  for (const [what, packets, status] of ordinary)
    it(`is answered like any other, and the connection goes on: ${what}`, async (t) => {
      const service = await startAttackedService(t);
      const client = converse(service.port);
      const { socket, send, next } = client;
      t.after(() => socket.destroy());
      for (let n = 0; n < 3; n++) {
        for (const packet of packets) await sendAlone(service, client, packet);
        const answer = await next();
        assert.deepEqual([answer.status, answer.headers.connection], [status, 'keep-alive']);
        assert.equal(answer.headers.upgrade, undefined);
      }
      send(NEXT);
      assert.equal((await next()).status, 201);
    });

  for (const [what, next] of Object.entries({
    'what is not HTTP': 'nonsense\r\n\r\n',
    'too many headers': NEXT.replace('Host', `${'x: y\r\n'.repeat(250)}Host`),
  }))
    it(`is followed by a broken request, which times out and is not executed: ${what}`, async (t) => {
      const service = await startAttackedService(t);
      const { send, next: answer, rest } = converse(service.port);
      send(upgraded());
      assert.equal((await answer()).status, 200);
      send(next);
      assert.deepEqual(
        (await rest()).map(({ status }) => status),
        [408],
      );
      assert.deepEqual(petsIn(service.databaseFile), []);
    });

  for (const { what, packets, status, stored = [] } of last)
    it(`is the last on its connection: ${what}`, async (t) => {
      const service = await startAttackedService(t);
      // A packet that arrives after the close resets the connection. The response has been read by then.
      const answers = await sendAll(service, packets);
      assert.deepEqual(
        answers.map(({ status, headers }) => [status, headers.connection]),
        [[status, 'close']],
      );
      assert.deepEqual(
        petsIn(service.databaseFile).map(({ name }) => name),
        stored,
      );
    });
});
