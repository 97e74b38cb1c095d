import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { assertError } from '../support/assert.ts';
import { petsIn } from '../support/database/database.ts';
import { eventually } from '../support/eventually.ts';
import { spawnService } from '../support/service/process.ts';
import { temporaryFolder } from '../support/service/service.ts';
import { AUTH, type Conversation, converse, HOST, request } from '../support/wire/conversation.ts';

const PET = '{"name":"Rex","categoryId":7}';
const LENGTH = `Content-Length: ${PET.length}\r\n`;

interface Draining {
  readonly file: string;
  /** A connection from before the signal. */
  readonly connection: Conversation;
  /** Completes the request that the service is waiting for, so that the service exits. */
  finish(): Promise<number | string>;
}

/** A service that has received a signal and waits for the body of a create. */
async function startDraining(t: TestContext): Promise<Draining> {
  const file = join(await temporaryFolder(t), 'pets.db');
  const service = await spawnService(t, { DATABASE_URL: `sqlite:${file}` });
  const [pending, connection, probe] = Array.from({ length: 3 }, () => converse(service.port)) as [
    Conversation,
    Conversation,
    Conversation,
  ];
  pending.send(request('POST /v1/pets', `${HOST}${AUTH}${LENGTH}Expect: 100-continue\r\n`));
  assert.equal((await pending.next()).status, 100);
  connection.send(request('GET /v1/pets'));
  const { status, headers } = await connection.next();
  assert.deepEqual([status, headers.connection], [200, 'keep-alive']);
  service.child.kill('SIGTERM');
  // Shortly after the signal it stops listening, and from then on it closes connections.
  const isDraining = async () => {
    probe.send(request('GET /healthz'));
    return (await probe.next()).headers.connection === 'close';
  };
  await eventually(isDraining, 'it closes connections');
  const finish = async () => {
    pending.send(PET);
    assert.equal((await pending.next()).status, 201);
    return service.exited;
  };
  return { file, connection, finish };
}

// A plain request, and one with a header that changes how it is handled.
const headers = { 'a plain request': '', 'a request with Prefer': 'Prefer: respond-async\r\n' };

describe('a service that is shutting down', { concurrency: 2, timeout: 60_000 }, () => {
  it('refuses a new stream of events, which would end at once', async (t) => {
    const { connection, finish } = await startDraining(t);
    connection.send(request('GET /v1/events', `${HOST}${AUTH}Accept: text/event-stream\r\n`));
    const [answer, ...more] = await connection.rest();
    assert.ok(answer);
    assertError(answer, 503, 'unavailable');
    assert.match(answer.headers['retry-after'] ?? '', /^\d+$/);
    assert.deepEqual([answer.headers.connection, more], ['close', []]);
    assert.equal(await finish(), 0);
  });

  for (const [what, header] of Object.entries(headers)) {
    it(`closes the connection after the response to ${what}`, async (t) => {
      const { connection, finish } = await startDraining(t);
      connection.send(request('GET /v1/pets', HOST + AUTH + header));
      const answers = await connection.rest();
      assert.deepEqual(
        answers.map(({ status, headers }) => [status, headers.connection]),
        [[200, 'close']],
      );
      assert.equal(await finish(), 0);
    });

    it(`answers every pipelined create that it executes: ${what}`, async (t) => {
      const { file, connection, finish } = await startDraining(t);
      connection.send(request('POST /v1/pets', HOST + AUTH + header + LENGTH, PET).repeat(3));
      const answers = await connection.rest();
      assert.equal(await finish(), 0);
      assert.deepEqual(
        answers.map(({ status }) => status),
        [201, 201, 201],
      );
      assert.equal(petsIn(file).length, answers.length + 1);
    });
  }
});
