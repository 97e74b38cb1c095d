import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { createServer, Server } from 'node:http';
import { describe, it, type TestContext } from 'node:test';
import { useInternals } from '../../../src/http/server/node-internals.ts';
import { startService } from '../../support/service/service.ts';

/** What the log of a service says about the version of Node. */
async function complaints(t: TestContext): Promise<string[]> {
  const { log } = await startService(t);
  return log.map(({ msg }) => String(msg)).filter((msg) => msg.includes('this version of Node'));
}

describe('the internals of Node that the transport depends on', () => {
  it('exist in this version', async (t) => {
    const server = createServer();
    assert.deepEqual(useInternals(server), []);
    server.close();
    assert.deepEqual(await complaints(t), []);
  });

  it('are named when a version lacks them', () => {
    const server = new EventEmitter() as unknown as Server;
    assert.deepEqual(
      useInternals(server, () => server),
      [
        'responses to half-closed connections',
        'the time limits of slow clients',
        'stopping in a packet',
        'requests for another protocol',
      ],
    );
  });

  it('are named in one line of the log', async (t) => {
    const { emit } = Server.prototype;
    t.mock.method(Server.prototype, 'emit', function (this: Server, name: string, ...args: unknown[]) {
      return name !== 'listening' && name !== 'connection' && emit.call(this, name, ...args);
    });
    assert.deepEqual(await complaints(t), [
      'this version of Node lacks what the service needs for the time limits of slow clients, stopping in a packet, requests for another protocol',
    ]);
  });
});
