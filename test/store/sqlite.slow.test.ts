import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it, type TestContext } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { ApiError } from '../../src/contract/errors.ts';
import { INT64_MAX } from '../../src/contract/int64.ts';
import type { NewPet } from '../../src/contract/pet.ts';
import { listPets } from '../support/lists.ts';
import { LONG_RUN } from '../support/service/attacked-service.ts';
import { orderIn, petIn } from '../support/service/created.ts';
import { temporaryFolder } from '../support/service/service.ts';
import { conformance, type Opened, openOn } from './conformance.ts';

const rex: NewPet = { name: 'Rex', categoryId: 7n, status: 'available' };

const ROUNDS = LONG_RUN ? 30 : 3;

const isUnavailable = (error: unknown) => error instanceof ApiError && error.code === 'unavailable';

async function openFile(t: TestContext): Promise<Opened & { readonly file: string }> {
  const file = join(await temporaryFolder(t), 'pets.db');
  return { file, ...(await openOn(t, `sqlite:${file}`)) };
}

conformance('SQLite on a file', openFile, { persistent: true, versioned: true, thorough: true });

describe('SQLite on a file', () => {
  it('assigns the id 2^63-1; after that, creates are unavailable, it is not ready, and everything else works', async (t) => {
    const { file, store, close, reopen } = await openFile(t);
    await store.createPet(rex);
    await close();
    const db = new DatabaseSync(file);
    db.prepare("UPDATE sqlite_sequence SET seq = ? WHERE name = 'pets'").run(INT64_MAX - 1n);
    db.close();

    const again = await reopen();
    const last = { id: INT64_MAX, ...rex };
    assert.deepEqual(petIn(await again.createPet(rex)), last);
    await assert.rejects(again.ready(), isUnavailable);
    const order = orderIn(await again.createOrder({ petId: INT64_MAX }));
    await again.updateOrder(order.id, { status: 'cancelled' });
    for (let i = 0; i < 3; i++) await assert.rejects(again.createPet(rex), isUnavailable);
    assert.deepEqual(await again.getPet(INT64_MAX), last);
    assert.deepEqual(await listPets(again, { limit: 10, from: { id: INT64_MAX - 1n } }), [
      { id: 1n, ...rex },
    ]);
    await again.createKey({ name: 'till 3', digest: 'd', scopes: ['*'] });
  });

  it('replaces a writer thread that dies, and loses no animal that it acknowledged', async (t) => {
    const writers: Worker[] = [];
    const onWorker = (writer: Worker) => void writers.push(writer);
    process.on('worker', onWorker);
    t.after(() => process.off('worker', onWorker));
    const { store } = await openFile(t);
    const acknowledged: bigint[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const creates = Array.from({ length: 20 }, () => store.createPet(rex));
      const killed = writers.at(-1)?.terminate();
      for (const result of await Promise.allSettled(creates)) {
        if (result.status === 'fulfilled') acknowledged.push(petIn(result.value).id);
        else assert.ok(isUnavailable(result.reason), String(result.reason));
      }
      await killed;
      acknowledged.push(petIn(await store.createPet(rex)).id);
    }
    await writers.at(-1)?.terminate();
    acknowledged.push(petIn(await store.createPet(rex)).id);
    assert.equal(writers.length, ROUNDS + 2);
    const ids = new Set((await listPets(store, { limit: 1000 })).map(({ id }) => id));
    assert.deepEqual(
      acknowledged.filter((id) => !ids.has(id)),
      [],
    );
    assert.equal(new Set(acknowledged).size, acknowledged.length);
  });
});
