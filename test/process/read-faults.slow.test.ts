import assert from 'node:assert/strict';
import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it, type TestContext } from 'node:test';
import { openStore } from '../../src/store/open.ts';
import { assertError } from '../support/assert.ts';
import { eventually } from '../support/eventually.ts';
import { trace } from '../support/measure/trace.ts';
import { type RunningService, spawnService } from '../support/service/process.ts';
import { type Answer, call, temporaryFolder } from '../support/service/service.ts';
import { isRootWith } from '../support/service/tools.ts';

const PAGE = 4096;

/** A file with 2,000 animals, none of which is in the cache of a service that starts on it. */
async function fillStore(t: TestContext): Promise<string> {
  const file = join(await temporaryFolder(t), 'pets.db');
  const store = await openStore(`sqlite:${file}`);
  const pet = { name: 'x'.repeat(100), categoryId: 7n, status: 'available' } as const;
  await Promise.all(Array.from({ length: 2000 }, () => store.createPet(pet)));
  await store.close();
  return file;
}

const create = (origin: string): Promise<Answer> =>
  call(origin, 'POST', '/v1/pets', { body: { name: 'Rex', categoryId: 7 } });

async function statusesOf(origin: string, paths: readonly string[]): Promise<number[]> {
  return (await Promise.all(paths.map((path) => call(origin, 'GET', path)))).map(({ status }) => status);
}

const logged = ({ output }: RunningService, message: RegExp) =>
  output.stdout.split('\n').filter((line) => message.test(line));

const isReady = async (origin: string) => (await call(origin, 'GET', '/readyz')).status === 200;

describe('a database that cannot be read', { timeout: 60_000 }, () => {
  it('responds 503 while its disk fails, and works again after, without a restart', async (t) => {
    if (!isRootWith(t, 'strace')) return;
    const file = await fillStore(t);
    const { origin, child } = await spawnService(t, { DATABASE_URL: `sqlite:${file}` });
    const fault = await trace(t, child.pid, ['-e', 'trace=pread64', '-e', 'inject=pread64:error=EIO']);
    const paths = ['/v1/pets/300', '/v1/pets/900', '/v1/pets/1500'];
    assertError(await call(origin, 'GET', '/v1/pets/10'), 503, 'unavailable');
    assert.deepEqual(await statusesOf(origin, paths), [503, 503, 503]);
    assert.equal((await call(origin, 'GET', '/healthz')).status, 200);
    await fault.detach();
    assert.deepEqual(await statusesOf(origin, [...paths, '/v1/pets/10']), [200, 200, 200, 200]);
    assert.equal((await create(origin)).status, 201);
  });

  it('fails one request when one disk read fails, and does not report the file as damaged', async (t) => {
    if (!isRootWith(t, 'strace')) return;
    const file = await fillStore(t);
    const { origin, child } = await spawnService(t, { DATABASE_URL: `sqlite:${file}` });
    const options = ['-e', 'trace=pread64', '-e', 'inject=pread64:error=EIO:when=1'];
    const failed: number[] = [];
    // The error may hit the key refresh instead of a request: then again, with animals that have not been read yet.
    for (let first = 1; failed.length === 0; first += 400) {
      assert.ok(first < 2000, 'no request has received the error');
      const fault = await trace(t, child.pid, options);
      for (let id = first; id < first + 400; id += 100) {
        const { status } = await call(origin, 'GET', `/v1/pets/${id}`);
        if (status !== 200) failed.push(status);
      }
      assert.match((await fault.lines()).join('\n'), /EIO .*INJECTED/);
      await fault.detach();
    }
    assert.deepEqual(failed, [503]);
    assert.equal((await create(origin)).status, 201);
    assert.ok(await isReady(origin));
  });

  it('responds 500 where a page is damaged, serves the rest, and is not ready', async (t) => {
    const file = await fillStore(t);
    const db = new DatabaseSync(file);
    const last = db.prepare("SELECT max(pageno) AS page FROM dbstat WHERE name = 'pets'").get();
    db.close();
    const handle = await open(file, 'r+');
    await handle.write(Buffer.alloc(PAGE, 0xee), 0, PAGE, (Number(last?.page) - 1) * PAGE);
    await handle.close();
    const service = await spawnService(t, { DATABASE_URL: `sqlite:${file}` });
    const { origin } = service;
    assertError(await call(origin, 'GET', '/v1/pets'), 500, 'internal_error');
    assert.deepEqual(await statusesOf(origin, ['/v1/pets/1', '/v1/pets', '/v1/pets/2']), [200, 500, 200]);
    await eventually(async () => !(await isReady(origin)), 'the service is not ready');
    assertError(await call(origin, 'GET', '/readyz'), 503, 'unavailable');
    assert.equal(logged(service, /pets\.db is damaged .*restore a backup/).length, 1);
  });
});

describe('a database file that is deleted', { timeout: 60_000 }, () => {
  it('rejects writes until it is restored', async (t) => {
    const file = await fillStore(t);
    const service = await spawnService(t, { DATABASE_URL: `sqlite:${file}` });
    const { origin } = service;
    assert.equal((await create(origin)).status, 201);
    await rename(file, `${file}.away`);
    const deletedAt = Date.now();
    const acknowledged: number[] = [];
    for (let answer = await create(origin); answer.status !== 503; answer = await create(origin)) {
      assert.equal(answer.status, 201);
      acknowledged.push(Date.now() - deletedAt);
      assert.ok(Date.now() < deletedAt + 10_000, 'writes are still accepted');
    }
    t.diagnostic(
      `the last of ${acknowledged.length} writes was accepted after ${acknowledged.at(-1) ?? 0} ms`,
    );
    const refused = await create(origin);
    assertError(refused, 503, 'unavailable');
    assert.match(refused.text, /deleted while in use; nothing was written/);
    assert.equal((await call(origin, 'GET', '/v1/pets')).status, 200);
    await eventually(async () => !(await isReady(origin)), 'the service is not ready');
    await eventually(
      async () => logged(service, /was deleted while in use/).length > 0,
      'the loss is logged',
    );

    await rename(`${file}.away`, file);
    await eventually(async () => (await create(origin)).status === 201, 'a create succeeds');
    await eventually(() => isReady(origin), 'the service is ready');
    service.child.kill('SIGTERM');
    assert.equal(await service.exited, 0);
    const store = await openStore(`sqlite:${file}`);
    t.after(() => store.close());
    assert.equal((await store.countPets()).available, BigInt(2000 + 1 + acknowledged.length + 1));
  });
});
