import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import { baseAddress } from '../http/address.ts';
import { createApp } from '../http/app.ts';
import { openStore } from '../store/open.ts';
import { failedStart, makeFirstKey, welcome } from './banner.ts';
import { createLog } from './log-output.ts';
import { endAfter, onSignal } from './shutdown.ts';

/** The whole service in this process. */
export async function serveAlone(config: Config): Promise<void> {
  const store = await openStore(config.database);
  let app: FastifyInstance | undefined;
  let firstKey: string | undefined;
  try {
    app = createApp({ store, config, ...(await createLog()) });
    firstKey = await makeFirstKey(store, config.apiKeys);
    await app.listen({ host: config.host, port: config.port, listenTextResolver: () => 'listening' });
  } catch (error) {
    await app?.close();
    await store.close();
    throw failedStart(error as NodeJS.ErrnoException, firstKey);
  }
  const { server, log } = app;
  onSignal(() => endAfter(leave, log));
  const { port } = server.address() as AddressInfo;
  welcome(baseAddress(config.host, port), config.database, firstKey);

  /** Start-up backwards: not ready, every accepted request answered, the last batch committed, the database closed. */
  async function leave(): Promise<void> {
    await app?.drain();
    await app?.close();
    await store.close();
  }
}
