import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import postgres from 'postgres';
import { createCluster, createDatabase } from '../support/database/postgres.ts';
import { eventually } from '../support/eventually.ts';
import { animalStore, spawnService } from '../support/service/process.ts';
import { call, temporaryFolder } from '../support/service/service.ts';
import { hasTools } from '../support/service/tools.ts';

const server = await createCluster();
await server.start();

interface Shown {
  readonly id: string;
  readonly key?: string;
  readonly state: string;
}

async function keys(DATABASE_URL: string, ...args: string[]): Promise<Shown[]> {
  const { code, stdout, stderr } = await animalStore(['keys', ...args, '--json'], { DATABASE_URL });
  assert.equal(code, 0, stderr);
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Shown);
}

it('a key expires at the same moment in instances whose clocks differ by hours, and the log names the difference', async (t) => {
  if (!hasTools(t, 'faketime')) return;
  const [LD_PRELOAD = ''] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1');
  const url = await createDatabase(server);
  await keys(url, 'create', '--name', 'any');
  const [short] = await keys(url, 'create', '--name', 'short', '--expires', '30m');
  const start = (FAKETIME: string) =>
    spawnService(t, { DATABASE_URL: url, LD_PRELOAD, FAKETIME, FAKETIME_DONT_FAKE_MONOTONIC: '1' });
  const instances = [await start('-2h'), await start('+2h'), await start('+0')];
  const statuses = () =>
    Promise.all(
      instances.map(
        async ({ origin }) => (await call(origin, 'GET', '/v1/pets', { key: short?.key ?? '' })).status,
      ),
    );
  assert.deepEqual(await statuses(), [200, 200, 200]);
  const sql = postgres(url, { max: 1 });
  t.after(() => sql.end());
  await sql`UPDATE animal_store.api_keys SET expires_at = now() - interval '1 minute' WHERE name = 'short'`;
  await eventually(async () => (await statuses()).join() === '401,401,401', 'all of them refuse it');
  assert.deepEqual(
    instances.map(({ output }) => /"clockAheadMs":(-?\d)/.exec(output.stdout)?.[1]),
    ['7', '-7', undefined],
  );
  const metrics = await call(instances[1]?.origin ?? '', 'GET', '/metrics');
  assert.match(metrics.text, /^animal_store_clock_ahead_seconds -7(?:199|200)(?:\.\d+)?$/m);
});

for (const store of ['SQLite', 'PostgreSQL'])
  describe(`animal-store keys on ${store}`, () => {
    const open = async (t: Parameters<typeof temporaryFolder>[0]) => {
      const url =
        store === 'SQLite'
          ? `sqlite:${join(await temporaryFolder(t), 'pets.db')}`
          : await createDatabase(server);
      await keys(url, 'create', '--name', 'till', '--create');
      return url;
    };

    it('of eight rotations of a key at once, one succeeds, and the others name its successor', async (t) => {
      const url = await open(t);
      const results = await Promise.all(
        Array.from({ length: 8 }, () => animalStore(['keys', 'rotate', '1'], { DATABASE_URL: url })),
      );
      assert.deepEqual(results.map(({ code }) => code).toSorted(), [0, 1, 1, 1, 1, 1, 1, 1]);
      for (const { code, stderr } of results)
        if (code === 1)
          assert.equal(stderr, 'animal-store: The key was replaced by key 2: rotate that one.\n');
      assert.deepEqual(
        (await keys(url, 'list')).map(({ id }) => id),
        ['1', '2'],
      );
    });

    it('a revocation and a rotation at once say what has happened', async (t) => {
      const url = await open(t);
      const [revoked, rotated] = await Promise.all(
        ['revoke', 'rotate'].map((command) => animalStore(['keys', command, '1'], { DATABASE_URL: url })),
      );
      assert.equal(revoked?.code, 0);
      const active = (await keys(url, 'list')).filter(({ state }) => state === 'active');
      if (rotated?.code === 0) {
        assert.deepEqual(
          active.map(({ id }) => id),
          ['2'],
        );
        assert.match(revoked?.stdout ?? '', /Key 2, which replaces it, is not/);
      } else {
        assert.match(rotated?.stderr ?? '', /^animal-store: The key is revoked: create a new one/);
        assert.deepEqual(active, []);
      }
    });
  });

it('a password that is no longer accepted is logged once, not twice a second', async (t) => {
  const url = await createDatabase(server);
  const { child, origin, output } = await spawnService(t, { DATABASE_URL: url });
  t.after(() => child.kill());
  const sql = postgres(server.url('postgres'), { max: 1 });
  t.after(async () => {
    await sql`ALTER ROLE postgres LOGIN`;
    await sql.end();
  });
  await sql`ALTER ROLE postgres NOLOGIN`;
  await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'animal-store'`;
  const refusals = () => output.stdout.split('\n').filter((line) => line.includes('could not be refreshed'));
  await eventually(() => refusals().length > 0, 'the log says so');
  for (const end = Date.now() + 3000; Date.now() < end; ) await call(origin, 'GET', '/healthz');
  assert.equal(refusals().length, 1, refusals().join('\n'));
});
