import assert from 'node:assert/strict';
import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertConsistent } from '../support/database/consistency.ts';
import { olderFile } from '../support/database/older-file.ts';
import { LONG_RUN } from '../support/service/attacked-service.ts';
import { animalStore, type RunningService, spawnService } from '../support/service/process.ts';
import { call, temporaryFolder } from '../support/service/service.ts';
import { spawnCommand } from '../support/service/spawn.ts';

/** Before animals could be changed or removed, and before there were categories and events. */
const OLD_VERSION = 4;
/** The write-ahead log of a migration of so many is started over in between, as those of real stores are. */
const ANIMALS = 300_000;
/** How often the migration itself is interrupted. */
const KILLS = LONG_RUN ? 20 : 2;

const CATEGORIES = 7;

/** A file of that version, in which each tenth animal is ordered, and each tenth has a name with an accent. */
const createOld = (file: string) =>
  olderFile(file, OLD_VERSION, (old) =>
    old.exec(`
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ANIMALS})
      INSERT INTO pets (name, category_id, status, name_key)
      SELECT iif(i % 10 = 3, 'Björn ', 'animal ') || i, i % ${CATEGORIES}, iif(i % 10 = 0, 'pending', 'available'),
        iif(i % 10 = 3, 'BJÖRN ', 'ANIMAL ') || i FROM n;
      INSERT INTO orders (pet_id, status, created_at, updated_at) SELECT id, 'placed', 1, 2 FROM pets WHERE id % 10 = 0;
      INSERT INTO api_keys (name, digest, created_at) VALUES ('till', 'd', 1)`),
  );

async function killed(service: Pick<RunningService, 'child' | 'exited'>): Promise<void> {
  service.child.kill('SIGKILL');
  await service.exited;
}

/** Starts the service on what the crash has left, and asserts that nothing is missing and that every command works beside it. */
async function assertComplete(t: TestContext, file: string, created: number): Promise<void> {
  const env = { DATABASE_URL: `sqlite:${file}` };
  const service = await spawnService(t, env);
  const { json } = await call(service.origin, 'GET', '/v1/store/inventory');
  assert.deepEqual(json, {
    available: ANIMALS * 0.9 + created,
    pending: ANIMALS / 10,
    sold: 0,
  });
  const found = await call(service.origin, 'GET', '/v1/pets?name=bjorn%20299&limit=100');
  assert.equal((found.json as unknown[]).length, 100);
  let [available, pending] = [0, 0];
  for (let categoryId = 0; categoryId <= CATEGORIES; categoryId++) {
    const counts = await call(service.origin, 'GET', `/v1/store/inventory?categoryId=${categoryId}`);
    available += Number((counts.json as Record<string, number>).available);
    pending += Number((counts.json as Record<string, number>).pending);
  }
  assert.deepEqual({ available, pending, sold: 0 }, json);
  assert.equal((await call(service.origin, 'GET', '/readyz')).status, 200);
  const backup = `${file}.backup`;
  for (const command of [['keys', 'list'], ['doctor'], ['backup', backup]]) {
    const { code, stdout, stderr } = await animalStore(command, env);
    assert.equal(code, 0, `${command[0]}: ${stdout} ${stderr}`);
  }
  assert.equal(service.errors().replace(/^Updating the database .*\n/gm, ''), '');
  await killed(service);
  assertConsistent(backup, { feed: false });
  await rm(backup);
}

it('after kill -9, an upgraded store starts with everything acknowledged, and so does one that was being upgraded', {
  timeout: 600_000,
}, async (t) => {
  const folder = await temporaryFolder(t);
  const old = join(folder, 'old.db');
  createOld(old);

  const file = join(folder, 'pets.db');
  await copyFile(old, file);
  const startedAt = performance.now();
  const service = await spawnService(t, { DATABASE_URL: `sqlite:${file}` });
  const upgradeMs = performance.now() - startedAt;
  const body = { name: 'Rex', categoryId: 7 };
  assert.equal((await call(service.origin, 'POST', '/v1/pets', { body })).status, 201);
  await killed(service);
  await assertComplete(t, file, 1);

  for (let n = 0; n < KILLS; n++) {
    const interrupted = join(folder, `${n}.db`);
    await copyFile(old, interrupted);
    const upgrading = spawnCommand(t, ['serve'], { DATABASE_URL: `sqlite:${interrupted}`, PORT: '0' });
    await sleep(((n + 1) / (KILLS + 1)) * upgradeMs);
    await killed(upgrading);
    await assertComplete(t, interrupted, 0);
  }
  t.diagnostic(
    `upgraded in ${Math.round(upgradeMs)} ms, killed after the first create and ${KILLS} times before`,
  );
});
