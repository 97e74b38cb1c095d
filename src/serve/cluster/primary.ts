import type { Config } from '../../config.ts';
import { RefusedConnections } from '../../http/server/refused-connections.ts';
import { issueFirstKey } from '../../keys/issue.ts';
import { openSharedWriter, openStore } from '../../store/open.ts';
import { openBackups } from '../backups/open-backups.ts';
import { printBanner, printFirstKey, printLine } from '../banner.ts';
import { connectionRoom, warnOfLittleRoom } from '../connection-room.ts';
import { type Listener, listen } from '../listen.ts';
import { serveMetrics } from '../metrics-server.ts';
import { openServiceProcess } from '../service-process.ts';
import { cancelStart, exitAfter, onSignal } from '../shutdown.ts';
import { Dispatcher } from './dispatcher.ts';
import { scrapeAll } from './scrape.ts';
import { Workers } from './workers.ts';

/** Runs the service in several processes: this one listens, writes and supervises; the workers serve. */
export async function serveWithWorkers(config: Config): Promise<void> {
  let firstKey: string | undefined;
  let kill = () => {};
  let shutDown = () => {
    kill();
    cancelStart(firstKey);
  };
  onSignal(
    () => shutDown(),
    () => kill(),
  );
  const { log, processLog, metrics } = openServiceProcess(config, true);
  const backups = openBackups(config, log, metrics);
  firstKey = await prepareStore(config);
  // Closed after all workers: the last process to close an SQLite file removes its write-ahead log.
  const writer = await openSharedWriter(config.database, metrics.writes);
  const room = connectionRoom();
  warnOfLittleRoom(log, room);
  const refused = new RefusedConnections(log);
  metrics.add(() => [refused.family()]);
  const dispatcher = new Dispatcher(room.main, () => refused.add());
  const scrape = scrapeAll(metrics, () => workers.running);
  const workers: Workers = new Workers({ config, writer, dispatcher, log, scrape });
  kill = () => workers.kill();
  const { host, port, database, pages } = config;
  let listener: Listener | undefined;
  let metricsListener: Listener | undefined;
  try {
    listener = await listen({ host, port, pauseOnConnect: true }, (socket) => dispatcher.accept(socket));
    metricsListener = await serveMetrics(config, scrape, log, room.metrics);
    await workers.start();
  } catch (error) {
    printFirstKey(firstKey);
    kill();
    await listener?.close();
    await metricsListener?.close();
    await writer?.close();
    throw error;
  }
  const { port: actualPort, close } = listener;
  shutDown = () => exitAfter(stop, processLog, kill);
  const metricsPort = metricsListener?.port;
  backups?.start();
  printBanner({ host, port: actualPort, database, pages, metricsPort, firstKey });

  async function stop(): Promise<void> {
    workers.stopReplacing();
    const backupsStopped = backups?.stop();
    await close();
    await dispatcher.drain();
    await workers.stop();
    await metricsListener?.close();
    await backupsStopped;
    await writer?.close();
  }
}

/** Once for all workers, so that a problem is reported once. Resolves with the first key, if it was created. */
async function prepareStore(config: Config): Promise<string | undefined> {
  const store = await openStore(config.database, { upgrade: true, onMigration: printLine });
  try {
    return await issueFirstKey(store, config.apiKeys);
  } finally {
    await store.close();
  }
}
