import { flushCompileCache } from 'node:module';
import type { Socket } from 'node:net';
import { type Config, UsageError } from '../../config.ts';
import { createApp } from '../../http/app.ts';
import { Metrics } from '../../metrics/metrics.ts';
import { openStore } from '../../store/open.ts';
import { StoreError } from '../../store/store.ts';
import { openLog } from '../log-output.ts';
import { droppedLines } from '../metrics-server.ts';
import { handleProcessErrors } from '../process-errors.ts';
import { exitAfter, onSignal } from '../shutdown.ts';
import type { ToPrimary, ToWorker } from './messages.ts';
import { commitThroughPrimary } from './remote-commit.ts';
import { scrapeThroughPrimary } from './remote-scrape.ts';

// The program of a worker process. The primary sends its configuration, its connections, and the order to stop.
let stop = (): void => process.exit(1);
process.once('disconnect', () => stop());
process.once('message', ({ config }: { config: Config }) => void serve(config).catch(reportFailure));

async function serve(config: Config): Promise<void> {
  const processLog = openLog({ level: config.logLevel, shared: true });
  const { log } = processLog;
  handleProcessErrors(processLog);
  const report = (message: string) => log.error({}, message);
  const metrics = new Metrics();
  metrics.add(() => [droppedLines(processLog)]);
  const store = await openStore(config.database, {
    remoteCommit: commitThroughPrimary(),
    report,
    monitor: metrics.writes,
  });
  const app = createApp({ store, config, log, metrics, scrape: scrapeThroughPrimary(metrics) });
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
  const usage = error instanceof UsageError || error instanceof StoreError;
  send({ failed: { reason: error.message, usage } }, () => process.exit(1));
}

/** `disconnect` reports a primary that has ended. */
function send(message: ToPrimary, done = (): void => {}): void {
  process.send?.(message, undefined, {}, done);
}
