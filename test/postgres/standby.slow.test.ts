import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import type { Pet } from '../../src/contract/pet.ts';
import { openStore } from '../../src/store/open.ts';
import { StoreUnavailableError } from '../../src/store/store.ts';
import { rejects } from '../support/assert.ts';
import { createDatabase, openNewStore } from '../support/database/postgres.ts';
import { startPair, until } from '../support/database/postgres-pair.ts';
import { connect, runSql } from '../support/database/sql.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import { listPets } from '../support/lists.ts';
import { animalStore, spawnService } from '../support/service/process.ts';
import { call } from '../support/service/service.ts';
import { startProxy } from '../support/wire/proxy.ts';
import { createKey, startInstance } from './support/instance.ts';

const { primary, standby } = await startPair();

const rex = { name: 'Rex', categoryId: 7 };
const pet = { name: 'Rex', categoryId: 7n, status: 'available' } as const;

it('no read goes to a standby to which the address of the primary moves, and none is stale', async (t) => {
  const proxy = await startProxy(primary.port);
  const DATABASE_URL = primary.url('postgres').replace(`:${primary.port}/`, `:${proxy.port}/`);
  const { origin } = await spawnService(t, { DATABASE_URL });
  const { id, key } = await createKey(DATABASE_URL);
  const get = (path = '/v1/pets') => call(origin, 'GET', path, { key });
  await eventually(async () => (await get()).status === 200, 'the key is known');
  assert.equal((await call(origin, 'POST', '/v1/pets', { body: rex })).status, 201);
  await until(standby, async (sql) => (await sql`SELECT FROM animal_store.pets`).length === 1);
  // From now on the standby receives commits and does not show them.
  await runSql(standby.url('postgres'), 'SELECT pg_wal_replay_pause()');
  assert.equal((await call(origin, 'POST', '/v1/pets', { body: rex })).status, 201);
  assert.equal(
    (await animalStore(['keys', 'revoke', id], { DATABASE_URL: primary.url('postgres') })).code,
    0,
  );

  for (let round = 0; round < 2; round++) {
    proxy.switchTo(standby.port);
    for (let n = 0; n < 5; n++) {
      assert.equal((await call(origin, 'GET', '/v1/pets')).status, 503);
      assert.equal((await call(origin, 'GET', '/v1/store/inventory')).status, 503);
      assert.notEqual((await get()).status, 200, 'the revoked key is accepted');
    }
    await eventually(async () => (await call(origin, 'GET', '/readyz')).status === 503, '/readyz is 503');
    await assert.rejects(
      openStore(DATABASE_URL),
      (error) => error instanceof StoreUnavailableError && /the server is a standby/.test(error.message),
    );
    proxy.switchTo(primary.port);
    await eventually(async () => (await call(origin, 'GET', '/v1/pets')).status === 200, 'reads work');
    assert.equal(((await call(origin, 'GET', '/v1/pets')).json as Pet[]).length, 2);
    await eventually(async () => (await get()).status === 401, 'the revoked key is refused');
  }
});

it('reads and writes leave a server that becomes read-only, also on connections that stay open', async (t) => {
  const url = `${await createDatabase(primary)}?target_session_attrs=read-write`;
  const { origin, create } = await startInstance(t, primary, url);
  const list = () => call(origin, 'GET', '/v1/pets');
  assert.equal(await create(), 201);
  assert.equal((await list()).status, 200);
  const sql = connect(t, primary.url('postgres'));
  const setReadOnly = async (value: 'on' | 'off') => {
    await sql.unsafe(`ALTER SYSTEM SET default_transaction_read_only = ${value}`);
    await sql`SELECT pg_reload_conf()`;
  };
  await setReadOnly('on');
  await eventuallyEqual(async () => (await list()).status, 503);
  assert.equal(await create(), 503);
  // The connection of this test is read-only by default as well.
  await sql`SET default_transaction_read_only = off`;
  await setReadOnly('off');
  await eventuallyEqual(create, 201);
  assert.equal(((await list()).json as Pet[]).length, 2);
});

/** A store with an animal in a database with this setting, whose next writes wait for a standby that is away. */
async function openWithout(t: TestContext, setting: string) {
  const url = await createDatabase(primary);
  await runSql(url, `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET ${setting}`);
  const store = await openStore(url);
  t.after(() => store.close());
  await store.createPet(pet);
  await standby.stop();
  t.after(() => standby.start());
  return { store, sql: connect(t, url) };
}

it('a write is acknowledged only when the synchronous standby has it, whatever the database says', async (t) => {
  const { store } = await openWithout(t, 'synchronous_commit = local');
  await rejects(store.createPet(pet), 'unavailable');
});

it('a replay is not acknowledged before the synchronous standby has what it repeats, nor is a change that changes nothing', async (t) => {
  const { store, sql } = await openNewStore(t, primary);
  const idempotencyKey = { owner: 'till', key: 'same', fingerprint: 'f' };
  const create = () => store.createPet(pet, { idempotencyKey });
  await store.createPet(pet);
  await standby.stop();
  await rejects(create(), 'unavailable');
  // The session that waits for the standby ends, and what it has written can be seen.
  await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'`;
  await eventuallyEqual(async () => (await listPets(store, { limit: 10 })).length, 2);
  await rejects(create(), 'unavailable');
  await rejects(store.updatePet(2n, { name: 'Rex' }), 'unavailable');
  await standby.start();
  const isReplayed = async () => (await create()).replayed;
  await eventually(() => isReplayed().catch(() => false), 'it is replayed');
});

it('a commit whose wait for the standby was cancelled is not acknowledged, whatever the database lets through', async (t) => {
  const { store, sql } = await openWithout(t, 'client_min_messages = error');
  for (const write of [() => store.createPet(pet), () => store.updatePet(1n, { name: 'Tom' })]) {
    const refused = assert.rejects(write(), /not known if a standby has the write/);
    await eventually(async () => {
      const cancelled = await sql`
        SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND datname = current_database()`;
      return cancelled.length > 0;
    }, 'the wait is cancelled');
    await refused;
  }
});
