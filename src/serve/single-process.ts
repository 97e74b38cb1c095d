import type { Config } from '../config.ts';
import { createApp } from '../http/app.ts';
import { openStore } from '../store/open.ts';
import { printBanner, printFirstKey } from './banner.ts';
import { createFirstKey } from './first-key.ts';
import { type Listener, listen } from './listen.ts';
import { openLog } from './log-output.ts';
import { handleProcessErrors } from './process-errors.ts';
import { exitAfter, onSignal } from './shutdown.ts';

/** Runs the whole service in this process. */
export async function serveInOneProcess(config: Config): Promise<void> {
  const processLog = openLog({ level: config.logLevel, shared: false });
  const { log } = processLog;
  handleProcessErrors(processLog);
  const store = await openStore(config.database, { report: (message) => log.error({}, message) });
  const app = createApp({ store, config, log });
  const { host, port, database } = config;
  let firstKey: string | undefined;
  let listener: Listener;
  try {
    firstKey = await createFirstKey(store, config.apiKeys);
    await app.start();
    listener = await listen({ host, port }, (socket) => app.accept(socket));
  } catch (error) {
    printFirstKey(firstKey);
    await app.close();
    await store.close();
    throw error;
  }
  onSignal(() => exitAfter(stop, processLog));
  printBanner({ host, port: listener.port, database, firstKey });

  /** Start-up in reverse: every accepted request is answered, the last batch committed, the database closed. */
  async function stop(): Promise<void> {
    await listener.close();
    await app.drain();
    await app.close();
    await store.close();
  }
}
