import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { clientOf } from '../client/support/client.ts';
import { collectEvents } from '../client/support/events.ts';
import { openStream, type RawStream } from '../support/events/event-stream.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import { freePort } from '../support/service/free-port.ts';
import { spawnService } from '../support/service/process.ts';
import { call, temporaryFolder } from '../support/service/service.ts';

/** For a shutdown that has nothing to wait for. */
const SOON_MS = 4000;
const STREAMS = 10;
const RESTARTS = 4;

const longNamed = Array.from({ length: 50 }, () => ({ name: 'x'.repeat(1000), categoryId: 7 }));

describe('streams of events', { timeout: 120_000 }, () => {
  it('end at once when the service shuts down, read or not', async (t) => {
    const database = `sqlite:${join(await temporaryFolder(t), 'pets.db')}`;
    const service = await spawnService(t, { DATABASE_URL: database });
    const streams: RawStream[] = [];
    for (let n = 0; n < STREAMS; n++) streams.push(await openStream(t, service.port));
    const [unread, ...read] = streams;
    unread?.socket.pause();
    // More than the kernel buffers for a client that does not read.
    let created = 0;
    for (; created < 6000; created += longNamed.length)
      await call(service.origin, 'POST', '/v1/pets/batch', { body: { pets: longNamed } });
    await Promise.all(read.map((stream) => stream.received(created)));
    const signalledAt = performance.now();
    service.child.kill('SIGTERM');
    await eventually(() => read.every(({ isClosed }) => isClosed), 'every stream has ended');
    const endedMs = performance.now() - signalledAt;
    const late = sleep(SOON_MS, `still running after ${SOON_MS} ms`, { ref: false });
    assert.equal(await Promise.race([service.exited, late]), 0);
    assert.equal(service.errors(), '');
    const lines = service.output.stdout.split('\n').filter((line) => line.includes('"listEvents"'));
    assert.equal(lines.length, STREAMS, 'each stream has its line in the log');
    t.diagnostic(`${STREAMS} streams ended after ${Math.round(endedMs)} ms`);
  });

  it('continue in the client across restarts and kill -9: every acknowledged change exactly once', async (t) => {
    const database = `sqlite:${join(await temporaryFolder(t), 'pets.db')}`;
    const env = { DATABASE_URL: database, PORT: `${await freePort()}` };
    let service = await spawnService(t, env);
    const store = clientOf(`${service.origin}/v1`);
    const { names } = collectEvents(t, store);
    await eventually(async () => {
      await store.createPet({ name: 'first', categoryId: 1 });
      return names().length > 0;
    }, 'the stream is open');
    const acknowledged: string[] = [];
    let isOver = false;
    const writing = (async () => {
      for (let n = 0; !isOver; n++)
        acknowledged.push((await store.createPet({ name: `pet ${n}`, categoryId: 1 })).name);
    })();
    for (let n = 0; n < RESTARTS; n++) {
      const before = acknowledged.length;
      await eventually(() => acknowledged.length > before + 50, 'animals are added');
      service.child.kill(n % 2 ? 'SIGKILL' : 'SIGTERM');
      await service.exited;
      service = await spawnService(t, env);
    }
    isOver = true;
    await writing;
    await eventuallyEqual(() => names().filter((name) => name !== 'first'), acknowledged);
    t.diagnostic(`${acknowledged.length} changes, ${RESTARTS} restarts`);
  });
});
