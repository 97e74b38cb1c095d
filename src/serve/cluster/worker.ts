import { flushCompileCache } from 'node:module';
import type { Socket } from 'node:net';
import { type Config, UsageError } from '../../config.ts';
import { createApp } from '../../http/app.ts';
import { openStore } from '../../store/open.ts';
import { StoreError, StoreUnavailableError } from '../../store/store.ts';
import { connectionRoom } from '../connection-room.ts';
import { openServiceProcess } from '../service-process.ts';
import { exitAfter, onSignal } from '../shutdown.ts';
import type { ToPrimary, ToWorker } from './messages.ts';
import { commitThroughPrimary } from './remote-commit.ts';
import { scrapeThroughPrimary } from './scrape.ts';

// The program of a worker process. The primary sends its configuration, its connections, and the order to stop.
let stop = (): void => process.exit(1);
process.once('disconnect', () => stop());
process.once('message', ({ config }: { config: Config }) => void serve(config).catch(reportFailure));

async function serve(config: Config): Promise<void> {
  const { log, processLog, metrics } = openServiceProcess(config, true);
  const report = (message: string) => log.error({}, message);
  const store = await openStore(config.database, {
    remoteCommit: commitThroughPrimary(),
    report,
    monitor: metrics.writes,
    eventsKeepMs: config.eventsKeep,
  });
  const limits = { connections: connectionRoom().main };
  const app = createApp({ store, config, log, metrics, limits, scrape: scrapeThroughPrimary(metrics) });
  await app.start();

  let stopping = false;
  stop = () => {
    if (stopping) return;
    stopping = true;
    exitAfter(async () => {
      await app.drain();
      await app.close();
      await store.close();
    }, processLog);
  };

  process.on('message', (message: ToWorker, socket: Socket | undefined) => {
    if (message === 'stop') stop();
    if (message === 'ping') send('pong');
    if (message !== 'connection') return;
    send('received');
    // Without a socket: the client had closed the connection before it arrived here.
    if (socket) accept(socket);
  });

  function accept(socket: Socket): void {
    socket.on('error', () => {});
    // As in the primary; the flag is not passed on with the connection.
    socket.allowHalfOpen = true;
    app.accept(socket);
  }

  onSignal(() => send('signalled'));
  send('ready');
  flushCompileCache();
}

function reportFailure(error: Error): void {
  const isUsage = error instanceof UsageError || error instanceof StoreError;
  const kind = error instanceof StoreUnavailableError ? 'unavailable' : isUsage ? 'usage' : 'unexpected';
  send({ failed: { reason: error.message, kind } }, () => process.exit(1));
}

/** `disconnect` reports a primary that has ended. */
function send(message: ToPrimary, done = (): void => {}): void {
  process.send?.(message, undefined, {}, done);
}
