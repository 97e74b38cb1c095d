import { Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Connections } from './connections.ts';

/** For this long a keep-alive client may still send a request on an idle connection and be answered. */
const GRACE_MS = 1000;
/** Then a request that is still arriving or a client that does not read is cut. */
const DEADLINE_MS = 8000;
const STEP_MS = 20;

declare module 'fastify' {
  interface FastifyInstance {
    readonly draining: boolean;
    /** Takes no new connection, answers what was accepted, and closes every connection in order. */
    drain(): Promise<void>;
  }
}

export function prepareDrain(app: FastifyInstance, connections: Connections): void {
  let draining = false;

  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (draining && connections.isLatest(reply.raw)) reply.header('connection', 'close');
    done();
  });

  app.decorate('draining', { getter: () => draining });
  app.decorate('drain', async () => {
    draining = true;
    // Not http.Server's own close(): it cuts idle connections at once, into which a client may be writing.
    const closed = new Promise<void>((resolve) => Server.prototype.close.call(app.server, () => resolve()));
    await Promise.race([closed, cutWhenQuiet()]);
  });

  async function cutWhenQuiet(): Promise<void> {
    const deadline = performance.now() + DEADLINE_MS;
    await sleep(GRACE_MS);
    while (connections.busy && performance.now() < deadline) await sleep(STEP_MS);
    app.server.closeAllConnections();
  }
}
