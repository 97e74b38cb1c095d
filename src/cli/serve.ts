import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { VERSION } from '../contract/openapi.ts';
import { baseAddress } from '../http/address.ts';
import { createApp } from '../http/app.ts';
import { digestOf, generateKey } from '../keys/format.ts';
import { openStore } from '../store/open.ts';
import { printable } from '../store/printable.ts';
import type { Store } from '../store/store.ts';
import { type Command, print } from './command.ts';
import { createLog } from './log.ts';

/** In the end, stuck or not. */
const LEAVE_MS = 9500;
/** npm hands a terminal's Ctrl-C on to us, who had it already: so soon, it is the same signal. */
const ECHO_MS = process.env.npm_lifecycle_event === undefined ? 0 : 1000;

export const serve: Command = {
  summary: 'Run the service until a signal ends it.',
  positionals: [],
  settings: ['host', 'port', 'database', 'apiKeys', 'baseUrl', 'stagingBaseUrl', 'removeDeprecated'],
  flags: {},
  async run({ config }) {
    const store = await openStore(config.database);
    let app: FastifyInstance | undefined;
    let firstKey: string | undefined;
    try {
      app = createApp({ store, config, ...(await createLog()) });
      firstKey = config.apiKeys.length === 0 ? await makeFirstKey(store) : undefined;
      await app.listen({ host: config.host, port: config.port, listenTextResolver: () => 'listening' });
    } catch (error) {
      if (firstKey !== undefined)
        print(`The store is new; its first API key, shown this once only: ${firstKey}`);
      await app?.close();
      await store.close();
      throw listenError(error as NodeJS.ErrnoException);
    }
    leaveOnSignal(app, store);
    const { port } = app.server.address() as AddressInfo;
    welcome(baseAddress(config.host, port), config.database, firstKey);
  },
};

async function makeFirstKey(store: Store): Promise<string | undefined> {
  const key = generateKey();
  const made = await store.createFirstKey({ name: 'first key', digest: digestOf(key) });
  return made && key;
}

function welcome(address: string, database: string, firstKey: string | undefined): void {
  print(`Animal Store ${VERSION} listens on ${address}`);
  print(`Animals are kept in ${printable(database)}`);
  if (firstKey === undefined) return;
  print(`\nThe store is new. Its first API key, shown this once only:\n\n  ${firstKey}\n`);
  print(`Try it:\n\n  curl -H "Authorization: Bearer ${firstKey}" ${address}/pets\n`);
}

function listenError(error: NodeJS.ErrnoException): Error {
  if (error.code === 'EADDRINUSE')
    return new Error('the port is taken: choose another with --port or PORT', { cause: error });
  if (error.code === 'EACCES')
    return new Error('the port is not ours to take: choose one above 1023 with --port or PORT', {
      cause: error,
    });
  return error;
}

/** Start-up backwards: not ready, every accepted request answered, the last batch committed, the database closed. */
function leaveOnSignal(app: FastifyInstance, store: Store): void {
  let since: number | undefined;
  const onSignal = () => {
    if (since !== undefined) {
      if (performance.now() - since > ECHO_MS) process.exit(1);
      return;
    }
    since = performance.now();
    app.log.info('leaving');
    setTimeout(() => {
      app.log.error('the store did not close in time');
      process.exit(1);
    }, LEAVE_MS).unref();
    void leave(app, store).then(
      () => process.exit(0),
      (error) => {
        app.log.error(error);
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}

async function leave(app: FastifyInstance, store: Store): Promise<void> {
  await app.drain();
  await app.close();
  await store.close();
}
