import { type Config, UsageError } from '../config.ts';
import { inactive } from '../contract/rules/keys.ts';
import { createApp } from '../http/app.ts';
import { issueFirstKey } from '../keys/issue.ts';
import { openStore } from '../store/open.ts';
import type { Store } from '../store/store.ts';
import { openBackups } from './backups/open-backups.ts';
import { printBanner, printFirstKey, printLine } from './banner.ts';
import { conflictsIn } from './conflicts.ts';
import { connectionRoom } from './connection-room.ts';
import { type Listener, listen } from './listen.ts';
import { openServiceProcess } from './service-process.ts';
import { cancelStart, exitAfter, onSignal } from './shutdown.ts';

/**
 * Runs the service until a signal ends it. Rejects if it cannot start. `createKey` is the command that creates an API key, for a store
 * without one.
 */
export async function serve(config: Config, createKey: string): Promise<void> {
  const conflicts = conflictsIn(config).map(({ problem, remedy }) => `${problem}: ${remedy}`);
  if (conflicts.length > 0) throw new UsageError(conflicts.join('; '));
  let firstKey: Promise<string | undefined> = Promise.resolve(undefined);
  let shutDown = () => cancelStart(firstKey);
  onSignal(() => shutDown());
  const { processLog, metrics } = openServiceProcess(config);
  const { log } = processLog;
  const backups = openBackups(config, log, metrics);
  const connections = connectionRoom(log);
  const store = await openStore(config.database, {
    report: (message) => log.error({}, message),
    monitor: metrics.writes,
    upgrade: true,
    onMigration: printLine,
    eventsKeepMs: config.eventsKeep,
  });
  const app = createApp({ store, config, log, metrics, limits: { connections } });
  const { host, port, reusePort, database, pages } = config;
  let listener: Listener;
  let hasKey: boolean;
  try {
    firstKey = issueFirstKey(store, config.apiKeys);
    await firstKey;
    // After the first key: if several processes start at once, each must know the key that one of them has created.
    hasKey = config.apiKeys.length > 0 || (await hasValidKey(store));
    await app.start();
    listener = await listen({ host, port, reusePort }, app.accept);
  } catch (error) {
    await printFirstKey(firstKey);
    await app.close();
    await store.close();
    throw error;
  }
  shutDown = () => exitAfter(stop, processLog);
  backups?.start();
  await printBanner({
    host,
    port: listener.port,
    database,
    pages,
    firstKey: await firstKey,
    createKey: hasKey ? undefined : createKey,
  });

  /** Start-up in reverse: every accepted request is answered, the last batch committed, the database closed. */
  async function stop(): Promise<void> {
    const backupsStopped = backups?.stop();
    await listener.close();
    await app.drain();
    await app.close();
    await backupsStopped;
    await store.close();
  }
}

/** False for a store that was filled before its first start, and for one whose keys have all expired or been revoked. */
async function hasValidKey(store: Store): Promise<boolean> {
  const now = new Date();
  return (await store.listKeys()).some((key) => inactive(key, now) === undefined);
}
