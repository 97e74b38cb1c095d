import type { Config } from '../config.ts';
import { createApp } from '../http/app.ts';
import { scrapeOf } from '../http/system/metrics.ts';
import { issueFirstKey } from '../keys/issue.ts';
import { openStore } from '../store/open.ts';
import { openBackups } from './backups/open-backups.ts';
import { printBanner, printFirstKey, printLine } from './banner.ts';
import { connectionRoom, warnOfLittleRoom } from './connection-room.ts';
import { type Listener, listen } from './listen.ts';
import { serveMetrics } from './metrics-server.ts';
import { openServiceProcess } from './service-process.ts';
import { cancelStart, exitAfter, onSignal } from './shutdown.ts';

/** Runs the whole service in this process. */
export async function serveInOneProcess(config: Config): Promise<void> {
  let firstKey: string | undefined;
  let shutDown = () => cancelStart(firstKey);
  onSignal(() => shutDown());
  const { log, processLog, metrics } = openServiceProcess(config, false);
  const backups = openBackups(config, log, metrics);
  const report = (message: string) => log.error({}, message);
  const store = await openStore(config.database, {
    report,
    monitor: metrics.writes,
    upgrade: true,
    onMigration: printLine,
    eventsKeepMs: config.eventsKeep,
  });
  const room = connectionRoom();
  warnOfLittleRoom(log, room);
  const app = createApp({ store, config, log, metrics, limits: { connections: room.main } });
  const { host, port, database, pages } = config;
  let listener: Listener | undefined;
  let metricsListener: Listener | undefined;
  try {
    firstKey = await issueFirstKey(store, config.apiKeys);
    await app.start();
    metricsListener = await serveMetrics(config, scrapeOf(metrics), log, room.metrics);
    listener = await listen({ host, port }, app.accept);
  } catch (error) {
    printFirstKey(firstKey);
    await metricsListener?.close();
    await app.close();
    await store.close();
    throw error;
  }
  shutDown = () => exitAfter(stop, processLog);
  const { port: actualPort, close } = listener;
  const metricsPort = metricsListener?.port;
  backups?.start();
  printBanner({ host, port: actualPort, database, pages, metricsPort, firstKey });

  /** Start-up in reverse: every accepted request is answered, the last batch committed, the database closed. */
  async function stop(): Promise<void> {
    const backupsStopped = backups?.stop();
    await close();
    await app.drain();
    await metricsListener?.close();
    await app.close();
    await backupsStopped;
    await store.close();
  }
}
