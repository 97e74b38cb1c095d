import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { PATIENCE_MS } from '../support/eventually.ts';
import { type Service, startService } from '../support/service/service.ts';
import { AUTH, type Conversation, converse, HOST, request } from '../support/wire/conversation.ts';

const H2C = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n';
const WEBSOCKET =
  'Upgrade: websocket\r\nConnection: keep-alive, upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';
const create = (name: string, head = '') => {
  const body = JSON.stringify({ name, categoryId: 7 });
  return request('POST /v1/pets', `${HOST}${AUTH}${head}Content-Length: ${body.length}\r\n`, body);
};
const NEXT = create('invented');
const upgraded = (line = 'GET /v1/pets', head = H2C) => request(line, HOST + AUTH + head);
const CHUNKED = request(
  'POST /v1/pets',
  `${HOST}${AUTH}${H2C}Transfer-Encoding: chunked\r\n`,
  '1f\r\n{"name":"asked","categoryId":7}\r\n0\r\n\r\n',
);

/** Long enough for a request that is wrongly executed to be stored. */
const SETTLED_MS = 100;

/** Sends a packet that the service reads alone: when it has answered another client, it has read what came before. */
async function sendAlone({ call }: Service, { socket }: Conversation, packet: string): Promise<void> {
  if (socket.connecting) await once(socket.setNoDelay(), 'connect');
  if (socket.writable) socket.write(packet);
  await call('GET', '/healthz');
}

const namesIn = async ({ call }: Service) =>
  ((await call('GET', '/v1/pets')).json as { name: string }[]).map(({ name }) => name);

/** What asks for another protocol, in its packets, and the status of the answer. */
const ordinary: readonly [what: string, packets: readonly string[], status: number][] = [
  ['alone', [upgraded()], 200],
  ['for WebSocket', [upgraded('GET /v1/pets', WEBSOCKET)], 200],
  ['without a key', [request('GET /v1/pets', HOST + H2C)], 401],
  ['for a path that does not exist', [upgraded('GET /v1/nothing')], 404],
  ['with a body', [create('asked', H2C)], 201],
  ['with a body in a separate packet', create('asked', H2C).split(/(?=\{)/), 201],
];

/** Where bytes may be lost, the connection closes. With 201, only the animal that was asked for is stored. */
const last: readonly [what: string, packets: readonly string[], status: number][] = [
  ['with another request in the same packet', [upgraded() + NEXT], 200],
  ['with a body and another request in the same packet', [create('asked', H2C) + NEXT], 201],
  [
    'with the end of its body and another request in the same packet',
    (create('asked', H2C) + NEXT).split(/(?=asked)/),
    201,
  ],
  ['after a request, and before another', [create('asked') + upgraded() + NEXT], 201],
  ['with a body in chunks', [CHUNKED, NEXT], 201],
  ['with a head in two packets', [...upgraded().split(/(?=Upgrade: )/), NEXT], 200],
  ['whose head ends in the next packet', [upgraded().slice(0, -2), `\r\n${NEXT}`], 200],
  [
    'with another request split inside a header whose value looks like a request',
    [`${upgraded()}GET /healthz HTTP/1.1\r\n${HOST}X-Note: `, NEXT],
    200,
  ],
  [
    'with another request split inside its body, which looks like a request',
    [`${upgraded()}POST /v1/pets HTTP/1.1\r\n${HOST}${AUTH}Content-Length: 500\r\n\r\n`, NEXT],
    200,
  ],
];

describe('a request for another protocol', { timeout: 180_000 }, () => {
  for (const [what, packets, status] of ordinary)
    it(`is answered like any other, and the connection goes on: ${what}`, async (t) => {
      const service = await startService(t);
      const client = converse(service.port);
      t.after(() => client.socket.destroy());
      for (let n = 0; n < 3; n++) {
        for (const packet of packets) await sendAlone(service, client, packet);
        const { status: answered, headers } = await client.next();
        assert.deepEqual([answered, headers.connection, headers.upgrade], [status, 'keep-alive', undefined]);
      }
      client.send(NEXT);
      assert.equal((await client.next()).status, 201);
    });

  for (const [what, packets, status] of last)
    it(`is the last on its connection: ${what}`, async (t) => {
      const service = await startService(t);
      const client = converse(service.port);
      const answers = client.rest();
      client.socket.setTimeout(PATIENCE_MS, () => client.socket.destroy(new Error('the connection is open')));
      // A packet that arrives after the close resets the connection. The response has been read by then.
      for (const packet of packets) await sendAlone(service, client, packet);
      const seen = (await answers).map(({ status, headers }) => [status, headers.connection]);
      assert.deepEqual(seen, [[status, 'close']]);
      await sleep(SETTLED_MS);
      assert.deepEqual(await namesIn(service), status === 201 ? ['asked'] : []);
    });
});
