import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { samplePets } from '../../src/data/samples.ts';
import { petRows } from '../../src/data/write.ts';
import { createCluster, createDatabase } from '../support/database/postgres.ts';
import { LONG_RUN } from '../support/service/attacked-service.ts';
import { type RunningService, spawnService } from '../support/service/process.ts';
import { call, temporaryFolder } from '../support/service/service.ts';
import { spawnCommand } from '../support/service/spawn.ts';

const ROWS = 20_000;
const SIGNALS = ['SIGINT', 'SIGKILL'] as const;
const text = petRows(
  [...samplePets(ROWS, 1)].map((pet, i) => ({ id: BigInt(i + 1), ...pet })),
  'ndjson',
);

const server = await createCluster();
await server.start();

const databases: Record<string, (t: TestContext) => Promise<string>> = {
  SQLite: async (t) => `sqlite:${join(await temporaryFolder(t), 'pets.db')}`,
  PostgreSQL: () => createDatabase(server),
};

/** The inventory as the service counts it, and that it agrees with what the service lists. */
async function petCount({ origin }: RunningService): Promise<number> {
  const { json } = await call(origin, 'GET', '/v1/store/inventory');
  const total = Object.values(json as Record<string, bigint>).reduce((sum, count) => sum + Number(count), 0);
  const newest = (await call(origin, 'GET', '/v1/pets?limit=1')).json as unknown[];
  assert.equal(newest.length, Math.min(total, 1));
  return total;
}

async function create({ origin }: RunningService): Promise<void> {
  const { status } = await call(origin, 'POST', '/v1/pets', { body: { name: 'Rex', categoryId: 1 } });
  assert.equal(status, 201);
}

for (const [name, createUrl] of Object.entries(databases)) {
  describe(`An import that is interrupted beside a running service on ${name}`, { timeout: 120_000 }, () => {
    for (const signal of SIGNALS) {
      it(`adds nothing when ${signal} comes while it reads`, async (t) => {
        const url = await createUrl(t);
        const service = await spawnService(t, { DATABASE_URL: url });
        const command = spawnCommand(t, ['import', '-', '--format', 'ndjson'], { DATABASE_URL: url });
        // The last piece is taken when the rows before it have been read: a pipe holds far less.
        await command.send(text);
        await create(service);
        command.child.kill(signal);
        assert.equal(await command.exited, signal);
        await create(service);
        assert.equal(await petCount(service), 2);
        assert.equal(service.errors(), '');
      });
    }

    it('adds everything or nothing, whenever kill -9 comes', async (t) => {
      const url = await createUrl(t);
      const file = join(await temporaryFolder(t), 'pets.ndjson');
      await writeFile(file, text);
      const service = await spawnService(t, { DATABASE_URL: url });
      const startedAt = performance.now();
      assert.equal(await spawnCommand(t, ['import', file], { DATABASE_URL: url }).exited, 0);
      const wholeMs = performance.now() - startedAt;
      let total = ROWS;
      assert.equal(await petCount(service), total);
      for (const part of LONG_RUN ? [0.5, 0.6, 0.7, 0.8, 0.9] : [0.6, 0.85]) {
        const command = spawnCommand(t, ['import', file], { DATABASE_URL: url });
        await Promise.race([sleep(part * wholeMs), command.exited]);
        command.child.kill('SIGKILL');
        const ended = await command.exited;
        // The server of PostgreSQL may still be ending the transaction of the connection that is gone.
        await create(service);
        const added = (await petCount(service)) - total - 1;
        t.diagnostic(`ended by ${ended} after ${part} of the time: ${added} animals added`);
        assert.ok(added === 0 || added === ROWS, `${added} animals were added`);
        if (ended === 0) assert.equal(added, ROWS);
        total += added + 1;
      }
      assert.equal(service.errors(), '');
    });
  });
}
