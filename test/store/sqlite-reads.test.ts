import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { setImmediate as nextTick } from 'node:timers/promises';
import { openStore } from '../../src/store/open.ts';
import { openSqlite } from '../../src/store/sqlite/store.ts';
import type { PetQuery } from '../../src/store/store.ts';
import { ESCAPED_NAME } from '../support/database/long-names.ts';
import { heapUsed } from '../support/measure/heap.ts';
import { temporaryFolder } from '../support/service/service.ts';

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

it('A transaction of reads that could not be ended is ended before the next ones, which see what was written since', async (t) => {
  const store = await openSqlite(join(await temporaryFolder(t), 'pets.db'));
  t.after(() => store.close());
  const { exec } = DatabaseSync.prototype;
  const failing = t.mock.method(DatabaseSync.prototype, 'exec', function (this: DatabaseSync, sql: string) {
    if (sql === 'COMMIT') throw new Error('out of memory');
    exec.call(this, sql);
  });
  await Promise.all([store.countPets(), store.countPets()]);
  assert.equal(failing.mock.callCount(), 2);
  failing.mock.restore();
  await store.createPet({ name: 'Rex', categoryId: 7n, status: 'available' });
  assert.equal((await store.countPets()).available, 1n);
});

/** Every combination of filters, with each limit: 4,800 different queries. */
function* queries(limits: readonly number[]): Generator<PetQuery> {
  for (const limit of limits)
    for (const status of [undefined, 'available', 'pending', 'sold'] as const)
      for (const from of [undefined, { id: 3n }, { id: 3n, nameKey: 'rex' }])
        for (const ids of [undefined, [1n, 2n]])
          for (const name of [undefined, 'r']) yield { limit, status, from, ids, name };
}

it('Statements for pages are cached in bounded memory, whatever the limits of the queries', async (t) => {
  const file = join(await temporaryFolder(t), 'pets.db');
  const store = await openStore(`sqlite:${file}`);
  t.after(() => store.close());
  for (const name of ['Rex', 'Rita', 'Tom'])
    await store.createPet({ name, categoryId: 7n, status: 'available' });
  const rssAfter = async (limits: readonly number[]) => {
    for (const query of queries(limits)) await store.listPets(query);
    heapUsed();
    return process.memoryUsage.rss();
  };
  const limits = Array.from({ length: 100 }, (_, i) => i + 1);
  const before = await rssAfter(limits.map(() => 10));
  const grown = (await rssAfter(limits)) - before;
  t.diagnostic(`grown by ${Math.round(grown / 1e6)} MB`);
  assert.ok(grown < 12e6, `grown by ${grown} bytes`);
});
