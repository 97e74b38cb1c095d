import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { assertError } from '../support/assert.ts';
import { eventually } from '../support/eventually.ts';
import { type Trace, trace } from '../support/measure/trace.ts';
import { startAttackedService } from '../support/service/attacked-service.ts';
import { type Answer, call } from '../support/service/service.ts';
import { isRootWith } from '../support/service/tools.ts';

const SYNC = /\bf(?:data)?sync\(/;
const SYNCED = /\bf(?:data)?sync(?:\(\d+\)| resumed>.*) += 0/;

/** A service whose syncs take this long each; records the system calls that write to disks and connections. */
async function startSlow(t: TestContext, delayMs: number) {
  if (!isRootWith(t, 'strace')) return undefined;
  const { origin, child } = await startAttackedService(t);
  assert.equal((await create(origin, 'before')).status, 201);
  const disk = await trace(t, child.pid, [
    ...['-e', 'trace=pwrite64,fsync,fdatasync,write,writev,sendmsg,sendto'],
    ...['-e', `inject=fsync,fdatasync:delay_exit=${delayMs * 1000}`],
  ]);
  return { origin, disk };
}

const create = (origin: string, name: string): Promise<Answer> =>
  call(origin, 'POST', '/v1/pets', { body: { name, categoryId: 7 } });

async function waitForSync(disk: Trace): Promise<void> {
  await eventually(async () => (await disk.lines()).some((line) => SYNC.test(line)), 'a sync begins');
}

describe('on a slow disk', { concurrency: true, timeout: 60_000 }, () => {
  it('an animal is acknowledged only after the sync that makes it durable', async (t) => {
    const service = await startSlow(t, 300);
    if (!service) return;
    const name = 'Rex who waits for the disk';
    assert.equal((await create(service.origin, name)).status, 201);
    const lines = await service.disk.lines();
    const row = lines.findIndex((line) => line.includes('pwrite64(') && line.includes(name));
    const synced = lines.findIndex((line, index) => index > row && SYNCED.test(line));
    const answer = lines.findIndex((line) => line.includes('"HTTP/1.1 201'));
    t.diagnostic(`line ${row} writes the row, ${synced} ends the sync, ${answer} sends the answer`);
    assert.ok(row >= 0 && row < synced, 'no sync after the row');
    assert.ok(synced < answer, 'the answer did not wait for the sync');
  });

  it('a read is answered while a commit waits for the disk', async (t) => {
    const service = await startSlow(t, 1000);
    if (!service) return;
    const writing = create(service.origin, 'slow');
    await waitForSync(service.disk);
    const reading = call(service.origin, 'GET', '/v1/pets');
    assert.equal(await Promise.race([writing.then(() => 'write'), reading.then(() => 'read')]), 'read');
    assert.deepEqual([(await reading).status, (await writing).status], [200, 201]);
  });

  it('a create times out after 10 s, further ones are refused at once, reads continue, and it recovers', async (t) => {
    const service = await startSlow(t, 13_000);
    if (!service) return;
    const { origin } = service;
    const first = create(origin, 'stuck');
    await waitForSync(service.disk);
    const second = create(origin, 'queued');
    assertError(await first, 503, 'unavailable');
    assertError(await second, 503, 'unavailable');
    assertError(await create(origin, 'refused'), 503, 'unavailable');
    assert.equal((await call(origin, 'GET', '/v1/pets')).status, 200);
    await service.disk.detach();
    await eventually(async () => (await create(origin, 'after')).status === 201, 'a create succeeds');
    const { text } = await call(origin, 'GET', '/v1/pets');
    assert.doesNotMatch(text, /queued|refused/);
  });
});
