import type { Config } from '../../config.ts';
import { baseAddress } from '../../http/address.ts';
import { openSharedWriter, openStore } from '../../store/open.ts';
import { failedStart, makeFirstKey, welcome } from '../banner.ts';
import { createLog } from '../log-output.ts';
import { endAfter, onSignal } from '../shutdown.ts';
import { Door } from './dispatcher.ts';
import { Workers } from './workers.ts';

/** The service in several processes: this one listens, writes and looks after the others, which serve. */
export async function serveWithWorkers(config: Config): Promise<void> {
  const firstKey = await prepareStore(config);
  const { log } = await createLog();
  const door = new Door();
  // Closed behind all workers: whoever closes an SQLite file last puts it in order.
  const writer = await openSharedWriter(config.database);
  const workers = new Workers(config, writer, door, log);
  const kill = () => workers.kill();
  let port: number;
  try {
    port = await door.open(config.host, config.port);
    await workers.start();
  } catch (error) {
    kill();
    await door.close();
    await writer?.close();
    throw failedStart(error as NodeJS.ErrnoException, firstKey);
  }
  onSignal(() => endAfter(leave, log, kill), kill);
  welcome(baseAddress(config.host, port), config.database, firstKey);

  async function leave(): Promise<void> {
    await workers.leave();
    await writer?.close();
  }
}

/** Once for all, so that what is wrong with it is said once. Resolves with the first key, if there was none. */
async function prepareStore(config: Config): Promise<string | undefined> {
  const store = await openStore(config.database);
  try {
    return await makeFirstKey(store, config.apiKeys);
  } finally {
    await store.close();
  }
}
