import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startService } from '../support/service/service.ts';
import { AUTH, answersOf, HOST, request } from '../support/wire/conversation.ts';

const CLIENTS = 20;
const PET = '{"name":"Rex","categoryId":7}';
const CREATE = request('POST /v1/pets', `${HOST}${AUTH}Content-Length: ${PET.length}\r\n`, PET);
const CHUNKED = request(
  'POST /v1/pets',
  `${HOST}${AUTH}Transfer-Encoding: chunked\r\n`,
  `1d\r\n${PET}\r\n0\r\n\r\n`,
);
const TOO_LARGE = request('POST /v1/pets', `${HOST}${AUTH}Content-Length: 65537\r\n`, ' '.repeat(65_537));

/** Sends the packets, closes the sending side, and reads until the service closes its side. */
async function statusesOf(port: number, packets: readonly string[], pauseMs: number): Promise<number[]> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
  for (const packet of packets) {
    socket.write(packet);
    if (pauseMs > 0) await sleep(pauseMs);
  }
  socket.end();
  return (await Array.fromAsync(answersOf(socket))).map(({ status }) => status);
}

describe('a client that closes its sending side', { timeout: 120_000 }, () => {
  for (const [what, packets, status] of [
    ['a create', [CREATE], 201],
    ['a create with its body in a separate packet', CREATE.split(/(?={)/), 201],
    ['a chunked create', [CHUNKED], 201],
    ['two creates in one packet, of which one is executed', [CREATE + CREATE], 201],
    ['a request that is too large', [TOO_LARGE], 413],
    ['a malformed one', ['GET /v1/pets?é HTTP/1.1\r\n\r\n'], 400],
  ] as const)
    it(`gets the response before the connection is closed: ${what}`, async (t) => {
      const service = await startService(t);
      for (const pauseMs of [0, 20]) {
        const clients = Array.from({ length: CLIENTS }, () => statusesOf(service.port, packets, pauseMs));
        assert.deepEqual(await Promise.all(clients), Array(CLIENTS).fill([status]));
      }
      const { available } = await service.store.countPets();
      assert.equal(Number(available), status === 201 ? 2 * CLIENTS : 0);
    });

  it('in the middle of a request gets 400 or nothing, and a closed connection', async (t) => {
    const { port, call } = await startService(t);
    for (const cut of [5, CREATE.indexOf('\r\n\r\n') - 3, CREATE.length - 3])
      assert.match((await statusesOf(port, [CREATE.slice(0, cut)], 0)).join(), /^(?:400)?$/);
    assert.deepEqual((await call('GET', '/v1/pets')).json, []);
  });
});
