import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { describe, it } from 'node:test';
import { chownToServerUser, startCluster } from '../support/database/postgres.ts';
import { connect, runSql } from '../support/database/sql.ts';
import { eventually } from '../support/eventually.ts';
import { call, KEY } from '../support/service/service.ts';
import { isRootWith } from '../support/service/tools.ts';
import { startInstance } from './support/instance.ts';

const server = await startCluster(['max_connections=40']);

/** What makes creates fail, and what ends it: mostly that a part of the schema has another name. */
const faults = [
  ...[
    ['TABLE pets RENAME TO animals', 'TABLE animals RENAME TO pets'],
    ['TABLE pets RENAME name TO title', 'TABLE pets RENAME title TO name'],
    ['SCHEMA animal_store RENAME TO other', 'SCHEMA other RENAME TO animal_store'],
    ['TABLE orders RENAME TO purchases', 'TABLE purchases RENAME TO orders'],
    ['TABLE idempotency_keys RENAME TO results', 'TABLE results RENAME TO idempotency_keys'],
  ].map((changes) => changes.map((change) => `ALTER ${change}`)),
  ["SELECT setval('pets_id_seq', 9223372036854775807)", "SELECT setval('pets_id_seq', 100)"],
];

describe('/readyz is 503 while no create can succeed, and 200 again afterwards:', () => {
  for (const [begin = '', end = ''] of faults) {
    it(`after ${begin}`, async (t) => {
      const { sql, ready } = await startInstance(t, server);
      await eventually(async () => (await ready()) === 200, 'it is ready');
      await sql.unsafe(begin);
      await eventually(async () => (await ready()) === 503, 'it is not ready');
      await sql.unsafe(end);
      await eventually(async () => (await ready()) === 200, 'it is ready again');
    });
  }

  it('a table is locked', async (t) => {
    const { sql, ready, create } = await startInstance(t, server);
    await sql.begin(async (tx) => {
      await tx`LOCK TABLE pets IN ACCESS EXCLUSIVE MODE`;
      await eventually(async () => (await create()) === 503, 'creates are refused');
      await eventually(async () => (await ready()) === 503, 'it is not ready');
    });
    await eventually(async () => (await ready()) === 200, 'it is ready again');
    assert.equal(await create(), 201);
  });

  it('the disk of the database is full', async (t) => {
    if (!isRootWith(t, 'mount')) return;
    const disk = `${server.folder}-disk`;
    mkdirSync(disk);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', disk]);
    t.after(() => execFileSync('umount', ['-l', disk]));
    await chownToServerUser(disk);
    await runSql(server.url('postgres'), `CREATE TABLESPACE small LOCATION '${disk}'`);
    await runSql(server.url('postgres'), 'CREATE DATABASE full_disk TABLESPACE small');
    const { ready, create, sql } = await startInstance(t, server, server.url('full_disk'));
    await sql`CREATE TABLE filler (text text)`;
    const fill = (bytes: number) =>
      sql`INSERT INTO filler SELECT string_agg(md5(random()::text), '') FROM generate_series(1, ${bytes / 32})`;
    for (const bytes of [1_000_000, 100_000, 10_000]) while (await fill(bytes).catch(() => false));
    await eventually(async () => (await create('x'.repeat(500))) === 503, 'creates are refused');
    await eventually(async () => (await ready()) === 503, 'it is not ready');
    await sql`DROP TABLE filler`;
    await eventually(async () => (await create()) === 201, 'creates work');
    await eventually(async () => (await ready()) === 200, 'it is ready again');
  });
});

it('orders are taken although the server has no connection left, if there were some at the start', async (t) => {
  const { origin, sql, create, ready } = await startInstance(t, server);
  assert.equal(await create(), 201);
  assert.equal(await ready(), 200);
  // Connections that are lost are opened again before a call needs them.
  const sessions = () =>
    sql`SELECT pid FROM pg_stat_activity WHERE application_name = 'animal-store' AND datname = current_database()`;
  for (const { pid } of await sessions()) await sql`SELECT pg_terminate_backend(${pid}, 5000)`;
  await eventually(async () => (await sessions()).length >= 5, 'each kind of call has a connection');
  const isConnected = () => connect(t, server.url('postgres'))`SELECT`.catch(() => false);
  while (await isConnected());
  const order = await call(origin, 'POST', '/v1/store/orders', { body: { petId: 1 } });
  assert.equal(order.status, 201, order.text);
  for (const path of ['/v1/pets', '/v1/pets?name=re', '/v1/keys'])
    assert.equal((await call(origin, 'GET', path, { key: KEY })).status, 200, path);
  assert.equal(await ready(), 200);
});

it('/readyz leaves nothing behind, and takes no ids', async (t) => {
  const { sql, origin, create, ready } = await startInstance(t, server);
  for (let n = 0; n < 3; n++) {
    await eventually(async () => (await ready()) === 200, 'it is ready');
    await new Promise((resolve) => setTimeout(resolve, 1100));
  }
  assert.equal(await create(), 201);
  const tables = ['pets', 'orders', 'idempotency_keys', 'api_keys'];
  const counts = await Promise.all(
    tables.map(async (table) => (await sql.unsafe(`SELECT count(*)::int FROM ${table}`))[0]?.count),
  );
  assert.deepEqual(counts, [1, 0, 0, 0]);
  const order = await call(origin, 'POST', '/v1/store/orders', { body: { petId: 1 }, key: KEY });
  assert.deepEqual((order.json as { id: number }).id, 1);
  assert.equal(
    (await call(origin, 'GET', '/v1/store/inventory')).text,
    '{"available":0,"pending":1,"sold":0}',
  );
});
