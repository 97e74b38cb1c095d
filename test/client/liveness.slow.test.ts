import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import { freePort } from '../support/service/free-port.ts';
import { spawnService } from '../support/service/process.ts';
import { temporaryFolder } from '../support/service/service.ts';
import { clientOf } from './support/client.ts';
import { collectEvents } from './support/events.ts';

describe('The liveness of followed events', { timeout: 120_000 }, () => {
  for (const stop of ['SIGTERM', 'SIGKILL'] as const) {
    it(`is false while the service restarts after ${stop}, and no event is missed`, async (t) => {
      const folder = await temporaryFolder(t);
      const env = { DATABASE_URL: `sqlite:${join(folder, 'pets.db')}`, PORT: `${await freePort()}` };
      const first = await spawnService(t, env);
      const store = clientOf(`${first.origin}/v1`);
      const log: unknown[] = [];
      const onLiveness = (isAlive: boolean) => void log.push(isAlive);
      const { names } = collectEvents(t, store, {}, { onLiveness }, ({ pet }) => log.push(pet?.name));
      await eventually(() => log.length > 0, 'the stream is connected');
      await store.createPet({ name: 'before', categoryId: 1 });
      await eventuallyEqual(names, ['before']);
      first.child.kill(stop);
      await first.exited;
      await eventually(() => log.at(-1) === false, 'the end of the connection is reported');
      const [connected, ...whileStopping] = log;
      assert.equal(connected, true);
      assert.ok(whileStopping.includes('before'));
      await spawnService(t, env);
      await store.createPet({ name: 'after', categoryId: 1 });
      await eventuallyEqual(names, ['before', 'after']);
      // Any number of attempts may fail, and the bytes of a connection may arrive in several parts.
      const sinceStopped = log.slice(1 + whileStopping.length).filter((entry) => entry !== false);
      assert.deepEqual([...new Set(sinceStopped)], [true, 'after']);
      const lastFailure = log.lastIndexOf(false);
      assert.ok(log.indexOf(true, lastFailure) < log.indexOf('after'), 'it is connected before the event');
    });
  }
});
