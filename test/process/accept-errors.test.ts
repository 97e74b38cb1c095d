import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { spawnService } from '../support/process.ts';
import { call, temporaryFolder } from '../support/service.ts';
import { isRootWith } from '../support/tools.ts';
import { trace } from '../support/trace.ts';
import { until } from '../support/workers.ts';

const DESCRIPTORS = 100;

describe('a service without free file descriptors', { timeout: 60_000 }, () => {
  for (const workers of [1, 2]) {
    it(`accepts connections again when descriptors are free: ${workers} process(es)`, async (t) => {
      const env = {
        DATABASE_URL: `sqlite:${join(await temporaryFolder(t), 'pets.db')}`,
        WORKERS: String(workers),
      };
      const limit = ['sh', '-c', `ulimit -n ${DESCRIPTORS}; exec "$@"`, 'sh'];
      const service = await spawnService(t, env, limit);
      const sockets = Array.from({ length: 3 * DESCRIPTORS }, () =>
        connect(service.port, '127.0.0.1').on('error', () => {}),
      );
      t.after(() => sockets.map((socket) => socket.destroy()));
      await Promise.all(
        sockets.map((socket) => Promise.race([once(socket, 'connect'), once(socket, 'close')])),
      );
      for (const socket of sockets) socket.destroy();
      let status = 0;
      await until(() => {
        void call(service.origin, 'GET', '/v1/pets').then(
          (answer) => (status = answer.status),
          () => {},
        );
        return status === 200;
      }, 'it answers again');
      assert.equal(service.child.exitCode, null);
      assert.equal(service.errors(), '');
    });
  }
});

it('a connection that cannot be accepted for lack of memory is accepted later', {
  timeout: 60_000,
}, async (t) => {
  if (!isRootWith(t, 'strace')) return;
  const service = await spawnService(t, { DATABASE_URL: 'sqlite::memory:' });
  await trace(t, service.child.pid, ['-e', 'trace=accept4', '-e', 'inject=accept4:error=ENOMEM:when=1']);
  assert.equal((await call(service.origin, 'GET', '/v1/pets')).status, 200);
});
