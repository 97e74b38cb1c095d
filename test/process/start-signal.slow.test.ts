import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { launchService } from '../support/service/launch.ts';
import { temporaryFolder } from '../support/service/service.ts';

/** A database server that accepts a connection and never responds: the start waits for it. */
async function startSilentServer(t: TestContext): Promise<{ url: string; connected: Promise<unknown> }> {
  const server = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `postgres://user@127.0.0.1:${port}/pets`, connected: once(server, 'connection') };
}

/** The service gets as far as listening, which comes after the key is created, and waits there. */
const NEVER_LISTENS = `import { Server } from 'node:net';
  Server.prototype.listen = function () { process.stderr.write('would listen'); return this; };`;

describe('A signal during the start', { timeout: 60_000 }, () => {
  // A process without a listener is ended by the kernel, but the first process of a container ignores the signal.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGQUIT'] as const)
    it(`ends it by the service itself: ${signal}`, async (t) => {
      const { url, connected } = await startSilentServer(t);
      const service = launchService(t, [], { env: { DATABASE_URL: url } });
      await connected;
      service.child.kill(signal);
      assert.deepEqual(await service.ended(), { code: 0, signal: null });
      assert.equal(service.output(), '');
    });

  it('does not lose the first key of a new store', async (t) => {
    const DATABASE_URL = `sqlite:${join(await temporaryFolder(t), 'pets.db')}`;
    const NODE_OPTIONS = `--import="data:text/javascript,${encodeURIComponent(NEVER_LISTENS)}"`;
    const service = launchService(t, [], { env: { DATABASE_URL, NODE_OPTIONS } });
    await service.printed(/would listen/);
    assert.doesNotMatch(service.output(), /anst_/, 'it is printed when the service listens');
    service.child.kill('SIGTERM');
    assert.equal((await service.ended()).code, 0);
    assert.match(service.output(), /anst_\w{36}/);
  });
});
