import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it, type TestContext } from 'node:test';
import { checkDisk } from '../../src/cli/doctor/disk.ts';
import { readConfig } from '../../src/config.ts';
import type { NewPet } from '../../src/contract/pet.ts';
import { LARGE_WAL_BYTES } from '../../src/store/database-files.ts';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';
import { exportPets } from '../../src/store/tools/import-export.ts';
import { eventually } from '../support/eventually.ts';
import { temporaryFolder } from '../support/service/service.ts';

const BATCH: NewPet[] = Array.from({ length: 1000 }, (_, i) => ({
  name: `${i} ${'🐶'.repeat(990)}`,
  categoryId: 7n,
  status: 'available',
}));

async function start(t: TestContext) {
  const path = join(await temporaryFolder(t), 'pets.db');
  const reported: string[] = [];
  const store = await openStore(`sqlite:${path}`, { report: (message) => reported.push(message) });
  t.after(() => store.close());
  const createBatch = () => Promise.all(BATCH.map((pet) => store.createPet(pet)));
  const walBytes = async () => (await stat(`${path}-wal`)).size;
  return { path, store, reported, createBatch, walBytes };
}

/** What a service does after the other program has ended. */
const services: Record<string, (store: Store) => Promise<unknown>> = {
  'a busy service': (store) => Promise.all(BATCH.map((pet) => store.createPet(pet))),
  // Like the regular deletion of expired idempotency keys, of which there are none.
  'an idle one': (store) => store.recordKeyUse([]),
};

describe('The -wal file', { timeout: 120_000 }, () => {
  it('does not grow while an export waits for its reader', async (t) => {
    const { path, createBatch, walBytes } = await start(t);
    await createBatch();
    const ofOneBatch = await walBytes();
    let animals = 0;
    await exportPets(`sqlite:${path}`, {}, async (pets) => {
      for (let batch = 0; animals === 0 && batch < 10; batch++) await createBatch();
      animals += pets.length;
    });
    assert.equal(animals, BATCH.length, 'the animals of the moment at which it began');
    assert.ok((await walBytes()) < 5 * ofOneBatch);
  });

  for (const [service, write] of Object.entries(services))
    it(`is counted, reported and explained when another program makes it grow, and shrinks when that ends, under ${service}`, async (t) => {
      const { path, store, reported, createBatch, walBytes } = await start(t);
      await createBatch();
      const reader = new DatabaseSync(path);
      reader.exec('BEGIN');
      reader.prepare('SELECT count(*) FROM pets').get();
      while ((await walBytes()) <= LARGE_WAL_BYTES) await createBatch();
      await eventually(() => reported.length > 0, 'it is reported');
      assert.match(
        reported.join(),
        /^the write-ahead log .*pets\.db-wal has \d+ MB: .*reads the database.* end it$/,
      );
      assert.ok((await store.size()) > LARGE_WAL_BYTES);
      const findings = checkDisk(readConfig(['database'], {}, { DATABASE_URL: `sqlite:${path}` }), 0);
      assert.match(findings.at(-1)?.message ?? '', /pets\.db-wal has \d/);
      reader.close();
      await eventually(async () => {
        await write(store);
        return (await walBytes()) <= LARGE_WAL_BYTES;
      }, 'it is small');
      await eventually(() => reported.length > 1, 'that is reported');
      assert.match(reported[1] ?? '', /small again/);
      assert.equal(reported.length, 2);
    });
});
