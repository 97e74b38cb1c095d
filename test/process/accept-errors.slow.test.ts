import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { childrenOf } from '../support/attacked-service.ts';
import { eventually } from '../support/eventually.ts';
import { sum } from '../support/metrics.ts';
import { type RunningService, spawnService } from '../support/process.ts';
import { call, temporaryFolder } from '../support/service.ts';
import { isRootWith } from '../support/tools.ts';
import { trace } from '../support/trace.ts';

const DESCRIPTORS = 100;

async function start(
  t: TestContext,
  workers: number,
): Promise<RunningService & { scrape(): Promise<string> }> {
  const DATABASE_URL = `sqlite:${join(await temporaryFolder(t), 'pets.db')}`;
  const env = { DATABASE_URL, WORKERS: String(workers), METRICS_PORT: '0' };
  const service = await spawnService(t, env, ['sh', '-c', `ulimit -n ${DESCRIPTORS}; exec "$@"`, 'sh']);
  const [, metrics = ''] = /^Metrics: (\S+)/m.exec(service.output.stderr) ?? [];
  const scrape = async () => (await fetch(metrics, { headers: { connection: 'close' } })).text();
  return { ...service, scrape };
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

describe('more connections than file descriptors', { timeout: 60_000 }, () => {
  for (const workers of [1, 2])
    it(`keep no other client and no scrape out: ${workers} process(es)`, async (t) => {
      const service = await start(t, workers);
      await occupy(t, service);
      for (let n = 0; n < 5; n++) {
        assert.equal(sum(await service.scrape(), 'animal_store_processes'), workers === 1 ? 1 : workers + 1);
      }
      await eventually(() => isAnswered(service), 'another client is answered');
      assert.equal(service.errors(), '');
      assert.match(service.output.stdout, /"connections":\d+,"msg":"the limit of open files allows few/);
    });

  it('are closed, counted and logged while no worker takes them', async (t) => {
    const service = await start(t, 2);
    const workers = childrenOf(service.child.pid ?? 0);
    for (const worker of workers) process.kill(worker, 'SIGSTOP');
    const sockets = await occupy(t, service);
    const open = () => sockets.filter(({ readyState }) => readyState === 'open').length;
    await eventually(() => open() <= DESCRIPTORS / 2 + workers.length, 'those without room are closed');
    const refused = sockets.length - open();
    for (const worker of workers) process.kill(worker, 'SIGCONT');
    await eventually(() => isAnswered(service), 'another client is answered');
    assert.ok(sum(await service.scrape(), 'animal_store_refused_connections_total') >= refused);
    assert.equal(service.output.stdout.match(/"msg":"connections refused/g)?.length, 1);
  });
});

it('a connection that cannot be accepted for lack of memory is accepted later', {
  timeout: 60_000,
}, async (t) => {
  if (!isRootWith(t, 'strace')) return;
  const service = await spawnService(t, { DATABASE_URL: 'sqlite::memory:' });
  await trace(t, service.child.pid, ['-e', 'trace=accept4', '-e', 'inject=accept4:error=ENOMEM:when=1']);
  assert.equal((await call(service.origin, 'GET', '/v1/pets')).status, 200);
});
