import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { it } from 'node:test';
import postgres from 'postgres';
import { createCluster, createDatabase } from '../support/database/postgres.ts';
import { eventually } from '../support/eventually.ts';
import { animalStore, spawnService } from '../support/service/process.ts';
import { call } from '../support/service/service.ts';
import { hasTools } from '../support/service/tools.ts';

const server = await createCluster();
await server.start();

it('a key expires at the same moment in instances whose clocks differ by hours, and the log names the difference', async (t) => {
  if (!hasTools(t, 'faketime')) return;
  const [LD_PRELOAD = ''] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1');
  const url = await createDatabase(server);
  const create = ['keys', 'create', '--name', 'short', '--expires', '30m', '--json'];
  const { stdout } = await animalStore(create, { DATABASE_URL: url });
  const { key } = JSON.parse(stdout) as { key: string };
  const start = (FAKETIME: string) =>
    spawnService(t, { DATABASE_URL: url, LD_PRELOAD, FAKETIME, FAKETIME_DONT_FAKE_MONOTONIC: '1' });
  const instances = [await start('-2h'), await start('+2h'), await start('+0')];
  const statuses = () =>
    Promise.all(instances.map(async ({ origin }) => (await call(origin, 'GET', '/v1/pets', { key })).status));
  assert.deepEqual(await statuses(), [200, 200, 200]);
  const sql = postgres(url, { max: 1 });
  t.after(() => sql.end());
  await sql`UPDATE animal_store.api_keys SET expires_at = now() - interval '1 minute'`;
  await eventually(async () => (await statuses()).join() === '401,401,401', 'all of them refuse it');
  assert.deepEqual(
    instances.map(({ output }) => /"clockAheadMs":(-?\d)/.exec(output.stdout)?.[1]),
    ['7', '-7', undefined],
  );
  const metrics = await call(instances[1]?.origin ?? '', 'GET', '/metrics');
  assert.match(metrics.text, /^animal_store_clock_ahead_seconds -7(?:199|200)(?:\.\d+)?$/m);
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
