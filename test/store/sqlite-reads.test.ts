import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setImmediate as nextTick } from 'node:timers/promises';
import { openSqlite } from '../../src/store/sqlite/store.ts';
import { ESCAPED_NAME } from '../support/long-names.ts';
import { temporaryFolder } from '../support/service.ts';

/** Together they take much longer than the reads of one tick may, on any machine: 180 MB of JSON. */
const READS = 300;

describe('reads of SQLite', () => {
  it('that take long together are spread over several ticks, in their order, and see one state', async (t) => {
    const store = await openSqlite(join(await temporaryFolder(t), 'pets.db'));
    t.after(() => store.close());
    const pet = { name: ESCAPED_NAME, categoryId: 7n, status: 'available' } as const;
    await Promise.all(Array.from({ length: 100 }, () => store.createPet(pet)));
    const done: number[] = [];
    const reads = Array.from({ length: READS }, async (_, n) => {
      await store.listPets({ limit: 100 });
      done.push(n);
    });
    const counted = store.countPets();
    await nextTick();
    assert.ok(done.length < READS, 'the first tick did not read everything');
    await store.createPet(pet);
    assert.equal((await counted).available, 100n, 'as when the reads began');
    assert.equal((await store.countPets()).available, 101n);
    await Promise.all(reads);
    assert.deepEqual(done, [...done.keys()]);
    assert.equal(done.length, READS);
  });
});
