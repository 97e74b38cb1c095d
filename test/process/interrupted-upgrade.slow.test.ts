import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { assertManyUpgraded, FIRST_RELEASE, manyOlderRows } from '../support/database/many-older-rows.ts';
import { insertInto as insertIntoDatabase, olderDatabase } from '../support/database/older-database.ts';
import { insertInto, olderFile } from '../support/database/older-file.ts';
import { createCluster } from '../support/database/postgres.ts';
import { LONG_RUN } from '../support/service/attacked-service.ts';
import { KEY, temporaryFolder } from '../support/service/service.ts';
import { type SpawnedCommand, spawnCommand } from '../support/service/spawn.ts';

const server = await createCluster();
await server.start();

const ANIMALS = LONG_RUN ? 300_000 : 50_000;
const MOST_KILLS = LONG_RUN ? 100 : 12;

interface OlderStore {
  readonly url: string;
  /** Differs as soon as the upgrade has come further. */
  progress(): Promise<string>;
  /** After how many differences a start is killed, at most: SQLite then begins anew, PostgreSQL goes on. */
  readonly mostSteps: number;
  version(): Promise<number>;
}

async function sqlite(t: TestContext): Promise<OlderStore> {
  const file = join(await temporaryFolder(t), 'pets.db');
  olderFile(file, FIRST_RELEASE, insertInto(manyOlderRows(ANIMALS)));
  return {
    url: `sqlite:${file}`,
    mostSteps: 40,
    progress: async () => `${statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0}`,
    version: async () => {
      const db = new DatabaseSync(file, { readOnly: true });
      const { user_version } = db.prepare('PRAGMA user_version').get() ?? {};
      db.close();
      return Number(user_version);
    },
  };
}

async function postgresql(t: TestContext): Promise<OlderStore> {
  const url = await olderDatabase(server, FIRST_RELEASE, insertIntoDatabase(manyOlderRows(ANIMALS)));
  const sql = postgres(url, { max: 1, connection: { search_path: 'animal_store' } });
  t.after(() => sql.end());
  const version = async () => Number((await sql`SELECT max(version) AS version FROM migrations`)[0]?.version);
  return {
    url,
    mostSteps: 3,
    version,
    progress: async () => {
      const reached = await version();
      if (reached < 16) return `${reached}`;
      const [filled] = await sql`
        SELECT (SELECT count(*) FROM pets WHERE folded_name LIKE 'BJORN%') AS names, count(completed_at) AS completed, count(folded_note) AS notes
        FROM orders`;
      return `${reached} ${filled?.names} ${filled?.completed} ${filled?.notes}`;
    },
  };
}

/** Resolves when the upgrade has come that many steps further, when `isOver`, or in some cases at an earlier moment. */
async function follow({ progress }: OlderStore, steps: number, isOver: () => boolean): Promise<void> {
  const until = Math.random() < 0.3 ? performance.now() + Math.random() * 3000 : Infinity;
  for (let seen = await progress(), left = steps; left > 0 && !isOver() && performance.now() < until; ) {
    await sleep(1);
    const now = await progress();
    if (now !== seen) left--;
    seen = now;
  }
}

/** Throws if it has ended. */
function isListening({ child, output }: SpawnedCommand): boolean {
  assert.equal(child.exitCode, null, output.stderr);
  return output.stderr.includes(' listens on ');
}

for (const [name, create] of Object.entries({ SQLite: sqlite, PostgreSQL: postgresql }))
  it(`A store of the first release on ${name} is upgraded although kill -9 ends its starts at random moments`, {
    timeout: 600_000,
  }, async (t) => {
    const store = await create(t);
    const killedAt: number[] = [];
    const start = () => spawnCommand(t, ['serve'], { DATABASE_URL: store.url, PORT: '0', API_KEYS: KEY });
    for (let isThrough = false; !isThrough && killedAt.length < MOST_KILLS; ) {
      const service = start();
      // The first time at once: it must be interrupted.
      const steps = killedAt.length === 0 ? 1 : 1 + Math.floor(Math.random() * store.mostSteps);
      await follow(store, steps, () => isListening(service));
      service.child.kill('SIGKILL');
      assert.equal(await service.exited, 'SIGKILL', service.output.stderr);
      isThrough = service.output.stderr.includes(' listens on ');
      if (!isThrough) killedAt.push(await store.version());
    }
    t.diagnostic(`killed at the versions ${killedAt.join(', ')}`);
    assert.notEqual(killedAt.length, 0, 'an upgrade was interrupted');

    const service = start();
    while (!isListening(service)) await sleep(10);
    await assertManyUpgraded(store.url, ANIMALS);
    service.child.kill('SIGTERM');
    assert.equal(await service.exited, 0, service.output.stderr);
  });
