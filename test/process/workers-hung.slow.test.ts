import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { LONG_RUN } from '../support/attacked-service.ts';
import { eventually } from '../support/eventually.ts';
import { KeepAliveClient } from '../support/keep-alive.ts';
import { call, temporaryFolder } from '../support/service.ts';
import { connectClients, isAlive, type ServiceWithWorkers, spawnWithWorkers } from '../support/workers.ts';

/** Together longer than a worker may be silent; without the time in which everything is stopped, much shorter. */
const SILENT_MS = 2500;
const STOPPED_MS = 8000;
const REPLACED_MS = 60_000;

/** After SIGUSR2 a worker never returns to its event loop. */
const SPIN_ON_SIGNAL = encodeURIComponent(
  "if (process.argv[1].endsWith('worker.ts')) process.on('SIGUSR2', () => { for (;;); });",
);

async function start(t: TestContext, env: Record<string, string> = {}): Promise<ServiceWithWorkers> {
  const file = join(await temporaryFolder(t), 'pets.db');
  return spawnWithWorkers(t, { DATABASE_URL: `sqlite:${file}`, ...env });
}

const killed = (service: ServiceWithWorkers) =>
  service.log().flatMap(({ msg, worker }) => (/does not respond/.test(String(msg)) ? [worker] : []));

describe('a worker whose event loop hangs', { concurrency: 3, timeout: 120_000 }, () => {
  const hangs = {
    'is stopped': 'SIGSTOP',
    // It uses a whole CPU until it is killed.
    ...(LONG_RUN && { 'never returns to its event loop': 'SIGUSR2' }),
  };
  for (const [what, signal] of Object.entries(hangs)) {
    it(`is killed and replaced when it ${what}, and new connections are served meanwhile`, async (t) => {
      const hook = { NODE_OPTIONS: `--import="data:text/javascript,${SPIN_ON_SIGNAL}"` };
      const service = await start(t, hook);
      const [victim = 0, other = 0] = service.workers();
      const [onFirst, onSecond] = await connectClients(t, service.port, 2);
      process.kill(victim, signal);
      await sleep(100);
      const pending = Promise.allSettled([onFirst, onSecond].map((client) => client?.get('/healthz')));
      // The victim may hold one of them until it is killed; the primary then gives it to another worker.
      const opened = Array.from({ length: 3 }, () => new KeepAliveClient(service.port));
      t.after(() => opened.map((client) => client.close()));
      const replies = await Promise.all(opened.map((client) => client.get('/healthz')));
      assert.deepEqual(
        replies.map(({ status }) => status),
        [200, 200, 200],
      );
      await eventually(
        () => service.workers().length === 2 && !isAlive(victim),
        'it is replaced',
        REPLACED_MS,
      );
      assert.deepEqual(killed(service), [victim]);
      assert.ok(service.workers().includes(other), 'the other worker runs on');
      // The clients of the victim learn that it is gone; those of the other worker notice nothing.
      const outcomes = await pending;
      assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
      assert.equal((await call(service.origin, 'GET', '/v1/pets')).status, 200);
    });
  }

  it('is not confused with one that waits while the whole service is stopped', async (t) => {
    const service = await start(t);
    const workers = service.workers();
    const primary = service.child.pid ?? 0;
    for (const pid of workers) process.kill(pid, 'SIGSTOP');
    await sleep(SILENT_MS);
    process.kill(primary, 'SIGSTOP');
    await sleep(STOPPED_MS);
    // It continues first, and its workers are silent for longer than is allowed, but not while it was running.
    process.kill(primary, 'SIGCONT');
    await sleep(SILENT_MS);
    for (const pid of workers) process.kill(pid, 'SIGCONT');
    await sleep(1500);
    assert.equal((await call(service.origin, 'GET', '/v1/pets')).status, 200);
    assert.deepEqual([service.workers(), killed(service)], [workers, []]);
  });
});
