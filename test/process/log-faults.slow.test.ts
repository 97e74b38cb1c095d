import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { constants } from 'node:fs';
import { open, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RunningService, spawnService } from '../support/service/process.ts';
import { call, temporaryFolder } from '../support/service/service.ts';
import { isRootWith } from '../support/service/tools.ts';
import { AUTH, converse, HOST, request } from '../support/wire/conversation.ts';

/** More lines than a pipe or a socket buffers. */
const REQUESTS = 3000;
const CONNECTIONS = 3;
const SHUTDOWN_MS = 6000;

type Line = Readonly<Record<string, unknown>>;

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

async function assertShutsDown({ child, exited }: RunningService): Promise<void> {
  const startedAt = Date.now();
  child.kill('SIGTERM');
  const late = sleep(SHUTDOWN_MS, `still running after ${SHUTDOWN_MS} ms`, { ref: false });
  assert.equal(await Promise.race([exited, late]), 0, `after ${Date.now() - startedAt} ms`);
}

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
      await assertShutsDown(service);
      assert.equal(service.errors(), '');
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
      const text = await readFile(join(inside, 'log'), 'utf8');
      lines = text
        .slice(0, text.lastIndexOf('\n'))
        .split('\n')
        .map((line) => JSON.parse(line) as Line);
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
