import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { clientOf } from '../client/support/client.ts';
import { collectEvents, startLine } from '../client/support/events.ts';
import { openStream } from '../support/events/event-stream.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import { LONG_RUN } from '../support/service/attacked-service.ts';
import { freePort } from '../support/service/free-port.ts';
import { spawnService } from '../support/service/process.ts';
import { startService, temporaryFolder } from '../support/service/service.ts';

const SIGNALS = ['SIGTERM', 'SIGKILL'] as const;
/** The bytes between two places at which a response is cut. */
const CUT_EVERY = LONG_RUN ? 1 : 7;

describe('streams of events', { timeout: 120_000 }, () => {
  it('continue in the client across restarts and kill -9: every acknowledged change exactly once', async (t) => {
    const database = `sqlite:${join(await temporaryFolder(t), 'pets.db')}`;
    const env = { DATABASE_URL: database, PORT: `${await freePort()}` };
    let service = await spawnService(t, env);
    const store = clientOf(`${service.origin}/v1`);
    const log: unknown[] = [];
    const onLiveness = (isAlive: boolean) => void log.push(isAlive);
    const { names } = collectEvents(t, store, {}, { onLiveness }, ({ pet }) => log.push(pet?.name));
    await eventually(() => log[0] === true, 'the stream is connected');
    const acknowledged: string[] = [];
    const add = async (name: string) =>
      acknowledged.push((await store.createPet({ name, categoryId: 1 })).name);
    for (const [round, signal] of SIGNALS.entries()) {
      let isOver = false;
      const writing = (async () => {
        for (let n = 0; !isOver; n++) await add(`pet ${round}-${n}`);
      })();
      const before = acknowledged.length;
      await eventually(() => acknowledged.length > before + 50, 'animals are added');
      service.child.kill(signal);
      await service.exited;
      await eventually(() => log.at(-1) === false, 'the end of the connection is reported');
      const stopped = log.length;
      service = await spawnService(t, env);
      isOver = true;
      await writing;
      await eventuallyEqual(names, acknowledged);
      const [first] = log.slice(stopped).filter((entry) => entry !== false);
      assert.equal(first, true, 'it is connected before the next event');
    }
    t.diagnostic(`${acknowledged.length} changes, ${SIGNALS.length} restarts`);
  });

  it('are each seen exactly once, after whichever byte of the response the connection is lost', async (t) => {
    const { port, origin } = await startService(t);
    const direct = clientOf(`${origin}/v1`);
    await direct.createPet({ name: 'before', categoryId: 1 });
    const after = (await direct.listEvents({ limit: 1 })).items[0]?.id ?? '';
    const added = ['Rëx 🐕', 'Max', 'Tom'];
    for (const name of added) await direct.createPet({ name, categoryId: 1 });
    const stream = await openStream(t, port, { query: `?after=${after}` });
    await stream.received(added.length);
    const length = stream.socket.bytesRead;
    let [next, reconnected] = [0, 0];
    const worker = async () => {
      while (next <= length) {
        const line = await startLine(t, port, next);
        next += CUT_EVERY;
        const { names, controller } = collectEvents(t, clientOf(line.baseUrl), { after });
        await eventuallyEqual(names, added);
        controller.abort();
        if (line.connections() > 1) reconnected++;
        line.close();
      }
    };
    await Promise.all(Array.from({ length: 16 }, worker));
    const cuts = Math.floor(length / CUT_EVERY) + 1;
    // The client's own request id makes the response a little longer or shorter.
    assert.ok(reconnected > cuts - 20, `${reconnected} of ${cuts}`);
    t.diagnostic(`${cuts} cuts, ${reconnected} of them before the last event was complete`);
  });
});
