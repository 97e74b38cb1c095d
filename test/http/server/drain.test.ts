import assert from 'node:assert/strict';
import { it } from 'node:test';
import { PATIENCE_MS } from '../../support/eventually.ts';
import { startService } from '../../support/service/service.ts';
import { AUTH, converse, HOST, request } from '../../support/wire/conversation.ts';

const PET = '{"name":"Rex","categoryId":7}';
const HEAD = `${HOST}${AUTH}Expect: 100-continue\r\nContent-Length: ${PET.length}\r\n`;

it('a shutdown waits for the body of a request after idle connections may be closed', async (t) => {
  // No time for idle connections, and all the time that the machine needs for requests.
  const service = await startService(t, { limits: { graceMs: 0, drainMs: PATIENCE_MS } });
  const [create, other] = [converse(service.port), converse(service.port)];
  create.send(request('POST /v1/pets', HEAD));
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
