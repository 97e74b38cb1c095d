import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { sum } from '../support/measure/metrics.ts';
import { trace } from '../support/measure/trace.ts';
import { type RunningService, spawnService } from '../support/service/process.ts';
import { call, temporaryFolder } from '../support/service/service.ts';
import { isRootWith } from '../support/service/tools.ts';

const DESCRIPTORS = 100;

async function start(t: TestContext): Promise<RunningService> {
  const DATABASE_URL = `sqlite:${join(await temporaryFolder(t), 'pets.db')}`;
  return spawnService(t, { DATABASE_URL }, ['sh', '-c', `ulimit -n ${DESCRIPTORS}; exec "$@"`, 'sh']);
}

/** Many more connections than there are descriptors. Resolves when each was accepted or closed. */
async function occupy(t: TestContext, { port }: RunningService): Promise<Socket[]> {
  const sockets = Array.from({ length: 3 * DESCRIPTORS }, () =>
    connect(port, '127.0.0.1').on('error', () => {}),
  );
  t.after(() => sockets.map((socket) => socket.destroy()));
  await Promise.all(sockets.map((socket) => Promise.race([once(socket, 'connect'), once(socket, 'close')])));
  return sockets;
}

/** A connection that arrives with many others can be refused, too. */
const isAnswered = ({ origin }: RunningService): Promise<boolean> =>
  call(origin, 'GET', '/v1/pets').then(
    ({ status }) => status === 200,
    () => false,
  );

it('more connections than file descriptors keep no other client and no scrape out', {
  timeout: 60_000,
}, async (t) => {
  const service = await start(t);
  await occupy(t, service);
  await eventually(() => isAnswered(service), 'another client is answered');
  const { status, text } = await call(service.origin, 'GET', '/metrics');
  assert.equal(status, 200);
  assert.ok(sum(text, 'process_open_fds') < DESCRIPTORS, 'the service keeps some for itself');
  assert.equal(service.errors(), '');
  assert.match(service.output.stdout, /"connections":\d+,"msg":"the limit of open files allows few/);
});

it('a connection that cannot be accepted for lack of memory is accepted later', {
  timeout: 60_000,
}, async (t) => {
  if (!isRootWith(t, 'strace')) return;
  const service = await spawnService(t, { DATABASE_URL: 'sqlite::memory:' });
  await trace(t, service.child.pid, ['-e', 'trace=accept4', '-e', 'inject=accept4:error=ENOMEM:when=1']);
  assert.equal((await call(service.origin, 'GET', '/v1/pets')).status, 200);
});
