import { flushCompileCache } from 'node:module';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Config, UsageError } from '../config.ts';
import { createApp } from '../http/app.ts';
import { openStore } from '../store/open.ts';
import { StoreError } from '../store/store.ts';
import { carryToPrimary } from './carry.ts';
import { endAfter, onSignal } from './leave.ts';
import { createLog } from './log.ts';
import type { ToPrimary, ToWorker } from './messages.ts';

const STEP_MS = 20;

// The process of one worker. Its configuration and its connections come from the primary, which also tells it to leave.
let leave = (): void => process.exit(1);
process.once('disconnect', () => leave());
process.once('message', ({ config }: { config: Config }) => void serve(config).catch(giveUp));

async function serve(config: Config): Promise<void> {
  const store = await openStore(config.database, { remoteCommit: carryToPrimary() });
  const app = createApp({ store, config, ...(await createLog()) });
  await app.ready();
  // It never listens itself; but here node:http begins to watch over slow clients.
  app.server.emit('listening');
  let open = 0;
  let leaving = false;

  leave = () => {
    if (leaving) return;
    leaving = true;
    endAfter(async () => {
      await app.drain();
      while (open > 0) await sleep(STEP_MS);
      await app.close();
      await store.close();
    }, app.log);
  };

  /** As if it had come in here: within the same bound, and with the end of the client's side left to node:http. */
  function take(socket: Socket): void {
    if (open >= app.server.maxConnections) return void socket.destroy();
    open++;
    socket.once('close', () => open--);
    socket.allowHalfOpen = true;
    app.server.emit('connection', socket);
  }

  process.on('message', (message: ToWorker, socket: Socket | undefined) => {
    if (message === 'leave') leave();
    if (message !== 'connection') return;
    say('taken');
    if (socket) take(socket);
  });
  onSignal(() => say('signalled'));
  say('ready');
  flushCompileCache();
}

function giveUp(error: Error): void {
  const usage = error instanceof UsageError || error instanceof StoreError;
  say({ failed: { reason: error.message, usage } }, () => process.exit(1));
}

/** Of a primary that is gone, `disconnect` tells. */
function say(message: ToPrimary, done = (): void => {}): void {
  process.send?.(message, undefined, {}, done);
}
