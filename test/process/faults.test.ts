import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertError, header } from '../support/assert.ts';
import { spawnService } from '../support/process.ts';
import { type Answer, call, temporaryFolder } from '../support/service.ts';
import { isRootWith } from '../support/tools.ts';
import { trace } from '../support/trace.ts';

const create = (origin: string, name: string): Promise<Answer> =>
  call(origin, 'POST', '/v1/pets', { body: { name, categoryId: 7 } });

function assertUnavailable(answer: Answer): void {
  assertError(answer, 503, 'unavailable');
  assert.match(header(answer, 'retry-after') ?? '', /^[1-9]\d*$/);
}

/** The answer of /readyz may be as old as its last probe. */
async function assertReadyz(origin: string, status: number): Promise<void> {
  for (let tries = 0; ; tries++) {
    const answer = await call(origin, 'GET', '/readyz');
    if (answer.status !== status && tries < 50) await sleep(100);
    else return status === 200 ? assert.equal(answer.status, 200) : assertUnavailable(answer);
  }
}

async function assertOnlyReads(origin: string): Promise<void> {
  const refused = create(origin, 'refused');
  assert.equal((await call(origin, 'GET', '/v1/pets?limit=1')).status, 200);
  assert.equal((await call(origin, 'GET', '/v1/pets/1')).status, 200);
  assertUnavailable(await refused);
  await assertReadyz(origin, 503);
  assert.equal((await call(origin, 'GET', '/healthz')).status, 200);
}

async function assertWrites(origin: string, name: string): Promise<void> {
  const answer = await create(origin, name);
  assert.equal(answer.status, 201, answer.text);
  await assertReadyz(origin, 200);
}

async function namesOf(origin: string): Promise<string[]> {
  const names: string[] = [];
  for (let path: string | undefined = '/v1/pets?limit=100'; path; ) {
    const page = await call(origin, 'GET', path);
    names.push(...(page.json as { name: string }[]).map(({ name }) => name));
    path = /<(.*)>; rel="next"/.exec(header(page, 'link') ?? '')?.[1];
  }
  return names;
}

describe('a database that cannot be written', { concurrency: 2, timeout: 60_000 }, () => {
  it('refuses writes with 503 while another process holds its lock, and takes them again after', async (t) => {
    const file = join(await temporaryFolder(t), 'pets.db');
    const { origin } = await spawnService(t, { DATABASE_URL: `sqlite:${file}` });
    await assertWrites(origin, 'before');
    const other = new DatabaseSync(file);
    t.after(() => other.close());
    other.exec('BEGIN IMMEDIATE');
    const first = [
      create(origin, 'refused').then(() => 'write'),
      call(origin, 'GET', '/v1/pets').then(() => 'read'),
    ];
    assert.equal(await Promise.race(first), 'read');
    await assertOnlyReads(origin);
    other.exec('ROLLBACK');
    await assertWrites(origin, 'after');
    assert.deepEqual(await namesOf(origin), ['after', 'before']);
  });

  it('refuses writes with 503 while its disk is full, loses nothing, and takes them again after', async (t) => {
    if (!isRootWith(t, 'unshare', 'mount')) return;
    const folder = await temporaryFolder(t);
    // The mount is in a namespace of the service's own: it goes when the process goes, whatever happens to us.
    const mount = [
      'unshare',
      '-m',
      'sh',
      '-c',
      `mount -t tmpfs -o size=4m full "${folder}" && exec "$@"`,
      'sh',
    ];
    const service = await spawnService(t, { DATABASE_URL: `sqlite:${join(folder, 'pets.db')}` }, mount);
    const { origin } = service;
    const ballast = join(`/proc/${service.child.pid}/root`, folder, 'ballast');
    await writeFile(ballast, Buffer.alloc(1024 * 1024));

    const acknowledged: string[] = [];
    // Short names last: they find room where a long one does not.
    for (const length of [990, 1]) {
      for (let full = false; !full; ) {
        const name = `${acknowledged.length} ${'x'.repeat(length)}`;
        const answer = await create(origin, name);
        if (answer.status === 201) acknowledged.push(name);
        else assertUnavailable(answer);
        full = answer.status !== 201;
      }
    }
    t.diagnostic(`the disk was full after ${acknowledged.length} animals`);
    await assertOnlyReads(origin);
    assert.deepEqual(await namesOf(origin), acknowledged.toReversed());

    await rm(ballast);
    await assertWrites(origin, 'after');
    assert.deepEqual(await namesOf(origin), ['after', ...acknowledged.toReversed()]);
  });

  for (const { what, inject } of [
    { what: 'is read-only', inject: 'pwrite64:error=EROFS' },
    { what: 'fails to write', inject: 'pwrite64:error=EIO' },
    { what: 'fails to make writes last', inject: 'fsync,fdatasync:error=EIO' },
  ]) {
    it(`refuses writes with 503 while its disk ${what}, and takes them again after`, async (t) => {
      if (!isRootWith(t, 'strace')) return;
      const file = join(await temporaryFolder(t), 'pets.db');
      const { origin, child } = await spawnService(t, { DATABASE_URL: `sqlite:${file}` });
      await assertWrites(origin, 'before');
      const fault = await trace(t, child.pid, [
        '-e',
        'trace=pwrite64,fsync,fdatasync',
        '-e',
        `inject=${inject}`,
      ]);
      await assertOnlyReads(origin);
      await fault.detach();
      await assertWrites(origin, 'after');
      const names = await namesOf(origin);
      assert.deepEqual(
        names.filter((name) => name !== 'refused'),
        ['after', 'before'],
      );
    });
  }
});
