import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually, PATIENCE_MS } from '../../support/eventually.ts';
import { startService } from '../../support/service/service.ts';
import { AUTH, converse, HOST, request } from '../../support/wire/conversation.ts';
import { heldConnections } from '../../support/wire/server-sockets.ts';

const PET = '{"name":"Rex","categoryId":7}';
const LENGTH = `Content-Length: ${PET.length}\r\n`;
const EXPECT = 'Expect: 100-continue\r\n';
const CREATE = request('POST /v1/pets', HOST + AUTH + LENGTH, PET);
/** More than the service reads at once: a part of it is unread when the service closes the connection. */
const LARGE = request('POST /v1/pets', `${HOST}${AUTH}Content-Length: 65537\r\n`, ' '.repeat(65_537)).repeat(
  4,
);

/** Requests after which the service closes the connection, although the client has not asked for it. */
const last = {
  'that expects 100 Continue and has no body': request('GET /v1/pets', HOST + AUTH + EXPECT),
  'that expects 100 Continue, with a body that is not read': request(
    'GET /v1/pets',
    HOST + AUTH + EXPECT + LENGTH,
    PET,
  ),
  'that others follow': request('GET /v1/pets'),
  'whose body has not arrived': request('POST /v1/pets', `${HOST}${AUTH}Content-Length: 1000000\r\n`),
};

describe('the last response of a connection', { timeout: 120_000 }, () => {
  for (const [what, closing] of Object.entries(last)) {
    it(`reaches a client that reads late: after a request ${what}`, async (t) => {
      const service = await startService(t, { limits: { lingerMs: PATIENCE_MS } });
      const { socket, send, rest } = converse(service.port);
      // Nothing is read before the service has closed its side: if that resets the connection, some systems lose the response.
      socket.pause();
      send(closing + CREATE + LARGE);
      const isAnswered = () => service.log.some(({ msg }) => msg === 'request');
      await eventually(isAnswered, 'the service has sent the response');
      await service.call('GET', '/healthz');
      assert.ok(heldConnections(service.port).has(socket.localPort ?? 0), 'it is not reset');
      assert.deepEqual(
        (await rest()).map(({ headers }) => headers.connection),
        ['close'],
      );
      const { json } = await service.call('GET', '/v1/pets');
      assert.deepEqual(json, [], 'what follows is not executed');
    });
  }
});

it('a shutdown waits for the body of a request after idle connections may be closed', async (t) => {
  // No time for idle connections, and all the time that the machine needs for requests.
  const service = await startService(t, { limits: { graceMs: 0, drainMs: PATIENCE_MS } });
  const [create, other] = [converse(service.port), converse(service.port)];
  create.send(request('POST /v1/pets', HOST + AUTH + EXPECT + LENGTH));
  assert.equal((await create.next()).status, 100);
  other.send(request('GET /healthz'));
  assert.equal((await other.next()).headers.connection, 'keep-alive');

  const drained = service.drain();
  other.send(request('GET /healthz'));
  const last = await other.rest();
  assert.deepEqual(
    last.map(({ headers }) => headers.connection),
    ['close'],
  );
  create.send(PET);
  const { status, headers } = await create.next();
  assert.deepEqual([status, headers.connection], [201, 'close']);
  assert.deepEqual(await create.rest(), []);
  await drained;
});
