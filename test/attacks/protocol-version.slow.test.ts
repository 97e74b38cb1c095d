import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { petsIn } from '../support/database/database.ts';
import { startAttackedService } from '../support/service/attacked-service.ts';
import { AUTH, converse, HOST } from '../support/wire/conversation.ts';

const PET = '{"name":"Rex","categoryId":7}';
const create = (version: string, host = HOST) =>
  `POST /v1/pets${version}\r\n${host}${AUTH}Content-Length: ${PET.length}\r\n\r\n${PET}`;

describe('a request in a version other than HTTP/1.0 and HTTP/1.1', { timeout: 60_000 }, () => {
  // Node's parser accepts the first three.
  const statuses = {
    '': 505,
    ' HTTP/0.9': 505,
    ' HTTP/2.0': 505,
    ' HTTP/1.2': 400,
    ' HTTP/3.0': 400,
    ' http/1.1': 400,
  };
  for (const [version, expected] of Object.entries(statuses)) {
    for (const host of [HOST, '']) {
      const what = `${JSON.stringify(version)}, ${host ? 'with' : 'without'} Host`;
      it(`gets ${expected} and a closed connection, and is not executed: ${what}`, async (t) => {
        const { port, databaseFile } = await startAttackedService(t);
        const { socket, send, rest } = converse(port);
        socket.setTimeout(5000, () => socket.destroy(new Error('the service did not close the connection')));
        send(create(version, host));
        const answers = await rest();
        assert.deepEqual(
          answers.map(({ status, headers }) => [status, headers.connection]),
          [[expected, 'close']],
        );
        assert.deepEqual(petsIn(databaseFile), []);
      });
    }
  }
});
