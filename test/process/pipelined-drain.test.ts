import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { AUTH, type Conversation, converse, HOST, request } from '../support/conversation.ts';
import { petsIn } from '../support/database.ts';
import { spawnService } from '../support/process.ts';
import { temporaryFolder } from '../support/service.ts';

const PET = '{"name":"Rex","categoryId":7}';
const LENGTH = `Content-Length: ${PET.length}\r\n`;

const ways = { 'by the lane': '', 'by the framework': 'Prefer: respond-async\r\n' };

interface Leaving {
  readonly file: string;
  /** A connection from before it was told to leave. */
  readonly connection: Conversation;
  /** Ends the request that it waits for, and with that the service. */
  finish(): Promise<number | string>;
}

/** A service that was told to leave and waits for the body of a create. */
async function startLeaving(t: TestContext): Promise<Leaving> {
  const file = join(await temporaryFolder(t), 'pets.db');
  const service = await spawnService(t, { DATABASE_URL: `sqlite:${file}` });
  const [underWay, connection] = [converse(service.port), converse(service.port)];
  underWay.send(request('POST /v1/pets', `${HOST}${AUTH}${LENGTH}Expect: 100-continue\r\n`));
  assert.equal((await underWay.next()).status, 100);
  connection.send(request('GET /v1/pets'));
  const { status, headers } = await connection.next();
  assert.deepEqual([status, headers.connection], [200, 'keep-alive']);
  service.child.kill('SIGTERM');
  while (!service.output.stdout.includes('"shutting down"')) await sleep(10);
  const finish = async () => {
    underWay.send(PET);
    assert.equal((await underWay.next()).status, 201);
    return service.exited;
  };
  return { file, connection, finish };
}

describe('a service that is leaving', { concurrency: 2, timeout: 60_000 }, () => {
  for (const [way, header] of Object.entries(ways)) {
    it(`says that the connection ends in what it answers ${way}`, async (t) => {
      const { connection, finish } = await startLeaving(t);
      connection.send(request('GET /v1/pets', HOST + AUTH + header));
      const answers = await connection.rest();
      assert.deepEqual(
        answers.map(({ status, headers }) => [status, headers.connection]),
        [[200, 'close']],
      );
      assert.equal(await finish(), 0);
    });

    it(`answers every create that it carries out, pipelined or not, ${way}`, async (t) => {
      const { file, connection, finish } = await startLeaving(t);
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
