import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { childrenOf } from '../support/attacked-service.ts';
import { launchService } from '../support/launch.ts';
import { temporaryFolder } from '../support/service.ts';

/** A database server that accepts a connection and never responds: the start waits for it. */
async function startSilentServer(t: TestContext): Promise<{ url: string; connected: Promise<unknown> }> {
  const server = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `postgres://user@127.0.0.1:${port}/pets`, connected: once(server, 'connection') };
}

describe('A signal during the start', { timeout: 60_000 }, () => {
  // A process without a listener is ended by the kernel, but the first process of a container ignores the signal.
  for (const WORKERS of ['1', '2'])
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGQUIT'] as const)
      it(`ends it with WORKERS=${WORKERS} by the service itself: ${signal}`, async (t) => {
        const { url, connected } = await startSilentServer(t);
        const service = launchService(t, [], { env: { WORKERS, DATABASE_URL: url } });
        await connected;
        service.child.kill(signal);
        assert.deepEqual(await service.ended(), { code: 0, signal: null });
        assert.equal(service.output(), '');
      });

  it('does not lose the first key of a new store', async (t) => {
    const DATABASE_URL = `sqlite:${join(await temporaryFolder(t), 'pets.db')}`;
    const service = launchService(t, [], { env: { WORKERS: '4', DATABASE_URL } });
    // The key is created before the workers are started.
    while (childrenOf(service.child.pid ?? 0).length === 0) await sleep(1);
    service.child.kill('SIGTERM');
    assert.equal((await service.ended()).code, 0);
    assert.match(service.output(), /anst_\w{36}/);
  });
});
