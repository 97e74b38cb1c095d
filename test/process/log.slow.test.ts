import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:fs';
import { copyFile, open, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/service/free-port.ts';
import { isReachable } from '../support/service/is-reachable.ts';
import { launch, MAIN } from '../support/service/launch.ts';
import { assertShutsDown, type RunningService, spawnService } from '../support/service/process.ts';
import { call, temporaryFolder } from '../support/service/service.ts';
import { isRootWith } from '../support/service/tools.ts';
import { AUTH, converse, HOST, request } from '../support/wire/conversation.ts';

/** More lines than a pipe or a socket buffers. */
const REQUESTS = 3000;
const CONNECTIONS = 3;
const SHUTDOWN_MS = 6000;

const errors = {
  'an exception': 'throw new Error(`on purpose`)',
  'an unhandled rejection': 'void Promise.reject(new Error(`on purpose`))',
};

type Line = Readonly<Record<string, unknown>>;

/** The complete lines of a log. */
const linesIn = (text: string): Line[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line);

/** `animal-store serve` with standard output redirected by a shell, with a file as its database. */
async function start(t: TestContext, redirect?: string): Promise<RunningService> {
  const file = join(await temporaryFolder(t), 'pets.db');
  const wrapper = redirect === undefined ? [] : ['sh', '-c', `exec "$@" ${redirect}`, 'sh'];
  return spawnService(t, { DATABASE_URL: `sqlite:${file}` }, wrapper);
}

/** Sends requests over a few connections and expects a response to each. */
async function assertServes({ port }: RunningService, count = REQUESTS): Promise<void> {
  const head = `${HOST}${AUTH}X-Request-Id: ${'x'.repeat(100)}\r\n`;
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      const { socket, send, next } = converse(port);
      for (let n = 0; n < count / CONNECTIONS; n++) {
        send(request('GET /v1/pets', head));
        assert.equal((await next()).status, 200);
      }
      socket.destroy();
    }),
  );
}

/** What it has logged when this signal has ended it. */
async function logAfter(
  signal: NodeJS.Signals,
  { child, output }: RunningService,
  code = 0,
): Promise<Line[]> {
  const closed = once(child, 'close');
  child.kill(signal);
  assert.deepEqual(await closed, [code, null]);
  return linesIn(output.stdout);
}

/** Makes a process fail when it receives SIGUSR2. */
const failOnSignal = (code: string) => ({
  NODE_OPTIONS: `--import="data:text/javascript,process.on('SIGUSR2',()=>{${encodeURIComponent(code)}})"`,
});

describe('the access log', { timeout: 60_000 }, () => {
  it('has one line for every request of a burst, even if the service is stopped immediately after it', async (t) => {
    const service = await start(t);
    const [connections, requests] = [50, 12];
    const targetOf = (n: number) => (n % 3 === 0 ? '/v1/pets/7' : '/v1/pets');
    await Promise.all(
      Array.from({ length: connections }, async (_, c) => {
        const { socket, send, next } = converse(service.port);
        for (let n = 0; n < requests; n++) {
          send(request(`GET ${targetOf(n)}`, `${HOST}${AUTH}X-Request-Id: ${c}-${n}\r\n`));
          assert.equal((await next()).headers['x-request-id'], `${c}-${n}`);
        }
        socket.end();
      }),
    );
    const lines = (await logAfter('SIGTERM', service)).filter(({ msg }) => msg === 'request');
    assert.equal(lines.length, connections * requests);
    assert.equal(new Set(lines.map(({ requestId }) => requestId)).size, lines.length);
    for (const { requestId, level, operation, method, status, time, ms, keyId } of lines) {
      const target = targetOf(Number(String(requestId).split('-')[1]));
      const expected = target === '/v1/pets' ? ['listPets', 200] : ['getPet', 404];
      assert.deepEqual([level, method, operation, status], [30, 'GET', ...expected]);
      assert.match(String(time), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      assert.equal(typeof ms, 'number');
      assert.match(String(keyId), /^env-[0-9a-f]{8}$/);
    }
  });

  it('is omitted with LOG_LEVEL=warn', async (t) => {
    const service = await spawnService(t, { DATABASE_URL: 'sqlite::memory:', LOG_LEVEL: 'warn' });
    assert.equal((await call(service.origin, 'GET', '/v1/pets')).status, 200);
    assert.deepEqual(await logAfter('SIGTERM', service), []);
  });

  it('that is appended to a file continues at its beginning after logrotate has truncated it', async (t) => {
    const folder = await temporaryFolder(t);
    const [log, rotated] = [join(folder, 'store.log'), join(folder, 'store.log.1')];
    const { origin } = await start(t, `>> '${log}'`);
    const lines = async () => linesIn(await readFile(log, 'utf8'));
    const logged = (count: number) => async () =>
      (await lines()).filter(({ operation }) => operation === 'listPets').length === count;
    for (let n = 0; n < 5; n++) await call(origin, 'GET', '/v1/pets');
    await eventually(logged(5), 'they are logged');
    await copyFile(log, rotated);
    await truncate(log);
    for (let n = 0; n < 3; n++) await call(origin, 'GET', '/v1/pets');
    await eventually(logged(3), 'the new lines are in the truncated file');
  });
});

describe('a log that cannot be written', { concurrency: 2, timeout: 300_000 }, () => {
  const faults: Record<string, (t: TestContext) => Promise<RunningService>> = {
    'its disk is full': (t) => start(t, '> /dev/full'),
    'its reader has exited': async (t) => {
      const service = await start(t);
      service.child.stdout?.destroy();
      return service;
    },
    'its reader has stopped: socket': async (t) => {
      const service = await start(t);
      service.child.stdout?.pause();
      return service;
    },
    'its reader has stopped: pipe': async (t) => {
      const pipe = join(await temporaryFolder(t), 'pipe');
      assert.equal(spawnSync('mkfifo', [pipe]).status, 0);
      const reader = await open(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
      t.after(() => reader.close());
      return start(t, `> '${pipe}'`);
    },
  };
  for (const [fault, startWith] of Object.entries(faults))
    it(`does not block or end the service when ${fault}`, async (t) => {
      const service = await startWith(t);
      await assertServes(service);
      await assertShutsDown(service, SHUTDOWN_MS);
      assert.equal(service.errors(), '');
    });

  it('does not end the service, either, when it is its start-up text', async (t) => {
    const port = await freePort();
    const command = ['sh', '-c', 'exec "$@" 2> /dev/full', 'sh', process.execPath, MAIN, 'serve'];
    const env = { DATABASE_URL: 'sqlite::memory:', PORT: `${port}` };
    const service = launch(t, command, { env });
    await eventually(() => isReachable(port), 'it listens');
    await call(`http://127.0.0.1:${port}`, 'GET', '/healthz');
    service.child.kill('SIGTERM');
    assert.deepEqual(await service.ended(), { code: 0, signal: null });
  });

  it('continues when its disk has space again, and reports how many lines were dropped', async (t) => {
    if (!isRootWith(t, 'unshare', 'mount')) return;
    const folder = await temporaryFolder(t);
    const mount = `mount -t tmpfs -o size=4m log "${folder}" && exec "$@" > "${folder}/log"`;
    const service = await spawnService(t, { DATABASE_URL: 'sqlite::memory:' }, [
      ...['unshare', '-m', 'sh', '-c', mount, 'sh'],
    ]);
    const inside = join(`/proc/${service.child.pid}/root`, folder);
    await writeFile(join(inside, 'ballast'), Buffer.alloc(4_000_000));
    await assertServes(service, 5000);
    await rm(join(inside, 'ballast'));
    let lines: Line[] = [];
    while (!lines.some(({ requestId }) => requestId === 'afterwards')) {
      await call(service.origin, 'GET', '/v1/pets', { headers: { 'x-request-id': 'afterwards' } });
      lines = linesIn(await readFile(join(inside, 'log'), 'utf8'));
    }
    const dropped = lines.flatMap(({ msg, dropped }) =>
      msg === 'log lines dropped' ? [Number(dropped)] : [],
    );
    const written = lines.filter(({ requestId }) => String(requestId).startsWith('xxx')).length;
    t.diagnostic(`of 5,000 lines ${written} were written, ${dropped} dropped`);
    assert.ok(dropped.length > 0);
    assert.ok(written + dropped.reduce((sum, count) => sum + count, 0) >= 5000);
  });
});

describe('an unexpected error', { concurrency: 2, timeout: 60_000 }, () => {
  for (const [what, code] of Object.entries(errors)) {
    it(`is logged with its stack before the process exits with 1: ${what}`, async (t) => {
      const service = await spawnService(t, { DATABASE_URL: 'sqlite::memory:', ...failOnSignal(code) });
      const { level, err } = (await logAfter('SIGUSR2', service, 1)).at(-1) ?? {};
      const { message, stack } = err as { message: string; stack: string };
      assert.deepEqual([level, message], [50, 'on purpose']);
      assert.match(stack, /^Error: on purpose\n +at /);
      assert.equal(service.errors(), '');
    });
  }

  it('is printed to standard error when the log cannot be written', async (t) => {
    const env = { DATABASE_URL: 'sqlite::memory:', ...failOnSignal(errors['an exception']) };
    const service = await spawnService(t, env, ['sh', '-c', 'exec "$@" > /dev/full', 'sh']);
    await logAfter('SIGUSR2', service, 1);
    assert.match(service.errors(), /^animal-store: unexpected error: Error: on purpose\n +at /);
  });
});
