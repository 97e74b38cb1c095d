import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { it } from 'node:test';
import { createDatabase, startCluster } from '../support/database/postgres.ts';
import { connect, openSql } from '../support/database/sql.ts';
import { eventually } from '../support/eventually.ts';
import { animalStore, spawnService } from '../support/service/process.ts';
import { call } from '../support/service/service.ts';
import { hasTools } from '../support/service/tools.ts';
import { createKey } from './support/instance.ts';

const server = await startCluster();

it('a key and an Idempotency-Key expire at the same moment in instances whose clocks differ by hours, and the log names the difference', async (t) => {
  if (!hasTools(t, 'faketime')) return;
  const [LD_PRELOAD = ''] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1');
  const url = await createDatabase(server);
  const { key } = await createKey(url, '--expires', '30m');
  const start = (FAKETIME: string) =>
    spawnService(t, { DATABASE_URL: url, LD_PRELOAD, FAKETIME, FAKETIME_DONT_FAKE_MONOTONIC: '1' });
  const instances = [await start('-2h'), await start('+2h'), await start('+0')];
  const statuses = () =>
    Promise.all(instances.map(async ({ origin }) => (await call(origin, 'GET', '/v1/pets', { key })).status));
  assert.deepEqual(await statuses(), [200, 200, 200]);
  const sql = connect(t, url);
  await sql`UPDATE animal_store.api_keys SET expires_at = now() - interval '1 minute'`;
  await eventually(async () => (await statuses()).join() === '401,401,401', 'all of them refuse it');
  const headers = { 'idempotency-key': 'k' };
  const replayed = async (n: number) => {
    const body = { name: 'Rex', categoryId: 1 };
    const answer = await call(instances[n]?.origin ?? '', 'POST', '/v1/pets', { body, headers });
    return answer.headers.get('idempotent-replayed');
  };
  assert.equal(await replayed(0), null);
  await sql`UPDATE animal_store.idempotency_keys SET created_at = created_at - interval '23 hours'`;
  assert.equal(await replayed(1), 'true');
  const doctor = await animalStore(['doctor', '--json'], { DATABASE_URL: url, LD_PRELOAD, FAKETIME: '+2h' });
  assert.match(
    doctor.stdout,
    /the clock of the database server is 7\d\d\d s slower than the one of this machine/,
  );
  assert.deepEqual(
    instances.map(({ output }) => output.stdout.match(/"clockAheadMs":-?\d/g)),
    [['"clockAheadMs":7'], ['"clockAheadMs":-7'], null],
  );
  const metrics = await call(instances[1]?.origin ?? '', 'GET', '/metrics');
  assert.match(metrics.text, /^animal_store_clock_ahead_seconds -7(?:199|200)(?:\.\d+)?$/m);
});

it('a password that is no longer accepted is logged once, not twice a second', async (t) => {
  const url = await createDatabase(server);
  const { child, origin, output } = await spawnService(t, { DATABASE_URL: url });
  t.after(() => child.kill());
  const sql = openSql(server.url('postgres'));
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
