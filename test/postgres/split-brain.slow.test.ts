import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { openStore } from '../../src/store/open.ts';
import { StoreError } from '../../src/store/store.ts';
import { createCluster } from '../support/database/postgres.ts';
import { promote, startPair, until } from '../support/database/postgres-pair.ts';
import { eventually } from '../support/eventually.ts';
import { spawnService } from '../support/service/process.ts';
import { call } from '../support/service/service.ts';

const one = await createCluster('one');
const other = await createCluster('other', after, '');

const urlOf = (...ports: number[]) =>
  `postgres://postgres@${ports.map((port) => `127.0.0.1:${port}`).join()}/postgres?target_session_attrs=read-write`;

const petsOn = (server: Awaited<ReturnType<typeof createCluster>>, name: string) => {
  let found = 0;
  return until(server, async (sql) => {
    found = (await sql`SELECT FROM animal_store.pets WHERE name = ${name}`).length;
    return true;
  }).then(() => found);
};

it('an old primary that still accepts writes is left by every instance, whatever the order of its hosts', async (t) => {
  const { primary: old, standby } = await startPair();
  const orders = [
    [old.port, standby.port],
    [standby.port, old.port],
  ];
  const instances = await Promise.all(
    orders.map((ports) => spawnService(t, { DATABASE_URL: urlOf(...ports) })),
  );
  const create = (origin: string, name: string) =>
    call(origin, 'POST', '/v1/pets', { body: { name, categoryId: 1 } });
  for (const { origin } of instances) assert.equal((await create(origin, 'before')).status, 201);
  // As after a partition in which the operator let the old primary go on alone.
  await until(old, async (sql) => {
    await sql`ALTER SYSTEM SET synchronous_standby_names = ''`;
    await sql`SELECT pg_reload_conf()`;
    return true;
  });
  await promote(standby);
  for (const [i, { origin }] of instances.entries())
    await eventually(async () => {
      const name = `after ${i} ${performance.now()}`;
      return (await create(origin, name)).status === 201 && (await petsOn(standby, name)) === 1;
    }, 'it writes to the new primary');
  for (const { origin } of instances) {
    for (let n = 0; n < 5; n++) assert.equal((await create(origin, 'final')).status, 201);
    assert.equal((await call(origin, 'GET', '/readyz')).status, 200);
  }
  assert.deepEqual([await petsOn(old, 'final'), await petsOn(standby, 'final')], [0, 10]);

  await t.test('and by one that starts now', async (t) => {
    const { origin } = await spawnService(t, { DATABASE_URL: urlOf(old.port, standby.port) });
    assert.equal((await create(origin, 'later')).status, 201);
    assert.deepEqual([await petsOn(old, 'later'), await petsOn(standby, 'later')], [0, 1]);
  });

  await t.test('and is not used again when the new primary fails', async () => {
    await standby.stop('SIGKILL');
    const [{ origin } = { origin: '' }] = instances;
    await eventually(async () => (await create(origin, 'lost')).status === 503, 'writes are refused');
    await eventually(async () => (await call(origin, 'GET', '/readyz')).status === 503, 'it is not ready');
    assert.equal((await create(origin, 'lost')).status, 503);
    assert.equal(await petsOn(old, 'lost'), 0);
  });
});

it('servers of different clusters in one URL are refused in one line', async () => {
  await Promise.all([one.start(), other.start()]);
  await assert.rejects(
    openStore(urlOf(one.port, other.port)).then((store) => store.close()),
    (error) => error instanceof StoreError && /belong to different clusters/.test(error.message),
  );
});
