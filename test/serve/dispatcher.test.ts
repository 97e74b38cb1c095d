import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { readConfig } from '../../src/config.ts';
import { createLog } from '../../src/log.ts';
import { Dispatcher } from '../../src/serve/cluster/dispatcher.ts';
import { WorkerProcess } from '../../src/serve/cluster/worker-process.ts';
import { listen } from '../../src/serve/listen.ts';
import { temporaryFolder } from '../support/service.ts';

async function startWorker(t: TestContext, database: string): Promise<WorkerProcess> {
  const config = readConfig(['database', 'logLevel'], { database, 'log-level': 'error' }, {});
  const log = createLog({ write: () => {} });
  const worker = new WorkerProcess({ config, writer: undefined, log, scrape: async () => '' });
  t.after(() => worker.kill());
  await worker.ready;
  return worker;
}

it('a connection that is offered to a worker which has already exited goes to the next one', {
  timeout: 60_000,
}, async (t) => {
  const database = `sqlite:${join(await temporaryFolder(t), 'pets.db')}`;
  const dispatcher = new Dispatcher(100, () => {});
  const address = { host: '127.0.0.1', port: 0, pauseOnConnect: true };
  const listener = await listen(address, (socket) => dispatcher.accept(socket));
  t.after(() => listener.close());
  const client = connect(listener.port, '127.0.0.1');
  t.after(() => client.destroy());
  client.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');

  // At the start of the service, one worker can exit while the primary waits for the others.
  const exited = await startWorker(t, database);
  exited.kill();
  await exited.exited;
  dispatcher.add(exited);
  const next = await startWorker(t, database);
  const drained = dispatcher.drain();
  dispatcher.remove(exited);
  dispatcher.add(next);

  const [answer] = await once(client, 'data');
  assert.match(String(answer), /^HTTP\/1\.1 200 /);
  await drained;
});
