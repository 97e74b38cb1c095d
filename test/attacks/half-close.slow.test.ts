import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { petsIn } from '../support/database/database.ts';
import { startAttackedService } from '../support/service/attacked-service.ts';
import { AUTH, answersOf, HOST, request } from '../support/wire/conversation.ts';
import type { RawAnswer } from '../support/wire/socket.ts';

const CLIENTS = 20;
const PET = '{"name":"Rex","categoryId":7}';
const CREATE = request('POST /v1/pets', `${HOST}${AUTH}Content-Length: ${PET.length}\r\n`, PET);
const CHUNKED = request(
  'POST /v1/pets',
  `${HOST}${AUTH}Transfer-Encoding: chunked\r\n`,
  `1d\r\n${PET}\r\n0\r\n\r\n`,
);
const TOO_LARGE = request('POST /v1/pets', `${HOST}${AUTH}Content-Length: 65537\r\n`, ' '.repeat(65_537));
const MALFORMED = 'GET /v1/pets?é HTTP/1.1\r\n\r\n';

/** Sends the packets, closes the sending side, and reads until the service closes its side. */
async function halfClose(port: number, packets: readonly string[], pauseMs: number): Promise<RawAnswer[]> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
  for (const packet of packets) {
    socket.write(packet);
    if (pauseMs > 0) await sleep(pauseMs);
  }
  socket.end();
  return Array.fromAsync(answersOf(socket));
}

const forms: readonly { what: string; packets: readonly string[]; statuses: readonly number[] }[] = [
  { what: 'a create', packets: [CREATE], statuses: [201] },
  {
    what: 'a create with its body in a separate packet',
    packets: CREATE.split(/(?={)/),
    statuses: [201],
  },
  { what: 'a chunked create', packets: [CHUNKED], statuses: [201] },
  { what: 'two creates in one packet', packets: [CREATE + CREATE], statuses: [201] },
  { what: 'a request that is too large', packets: [TOO_LARGE], statuses: [413] },
  { what: 'a malformed one', packets: [MALFORMED], statuses: [400] },
];

describe('a client that closes its sending side', { timeout: 120_000 }, () => {
  for (const { what, packets, statuses } of forms) {
    for (const pauseMs of [0, 20]) {
      const how = pauseMs > 0 ? 'in separate packets' : 'at once';
      it(`gets the response before the connection is closed: ${what}, ${how}`, async (t) => {
        const { port, databaseFile } = await startAttackedService(t);
        const all = await Promise.all(
          Array.from({ length: CLIENTS }, () => halfClose(port, packets, pauseMs)),
        );
        const expected = Array.from({ length: CLIENTS }, () => statuses);
        assert.deepEqual(
          all.map((answers) => answers.map(({ status }) => status)),
          expected,
        );
        const creates = statuses.filter((status) => status === 201).length;
        assert.equal(petsIn(databaseFile).length, CLIENTS * creates);
      });
    }
  }

  it('in the middle of a request gets 400 or nothing, and a closed connection', async (t) => {
    const service = await startAttackedService(t);
    for (const cut of [5, CREATE.indexOf('\r\n\r\n') - 3, CREATE.length - 3]) {
      const answers = await halfClose(service.port, [CREATE.slice(0, cut)], 0);
      assert.ok(
        answers.length <= 1 && answers.every(({ status }) => status === 400),
        JSON.stringify(answers),
      );
    }
    assert.deepEqual(petsIn(service.databaseFile), []);
  });
});
