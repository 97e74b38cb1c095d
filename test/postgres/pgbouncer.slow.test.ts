import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openStore } from '../../src/store/open.ts';
import { StoreError } from '../../src/store/store.ts';
import { startPgBouncer } from '../support/database/pgbouncer.ts';
import { createDatabase, startCluster } from '../support/database/postgres.ts';
import { connect } from '../support/database/sql.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import { listOrders } from '../support/lists.ts';
import { petIn } from '../support/service/created.ts';
import { animalStore, spawnService } from '../support/service/process.ts';
import { call } from '../support/service/service.ts';
import { hasTools } from '../support/service/tools.ts';

const server = await startCluster();

const rex = { name: 'Rex', categoryId: 7n, status: 'available' } as const;
const isRefusal = (message: RegExp) => (error: unknown) =>
  error instanceof StoreError && message.test(error.message);

describe('PgBouncer', () => {
  it('in transaction mode is refused in one line', async (t) => {
    if (!hasTools(t, 'pgbouncer')) return;
    const pooled = await startPgBouncer(t, await createDatabase(server), { pool_mode: 'transaction' });
    const { code, stdout, stderr } = await animalStore(['serve'], { DATABASE_URL: pooled, PORT: '0' });
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(
      stderr,
      /^animal-store: the database URL leads to a connection pooler such as PgBouncer: .*pool_mode=session\n$/,
    );
    // Not even a wrong claim in the URL helps.
    await assert.rejects(
      openStore(`${pooled}?pool_mode=session`),
      isRefusal(/pooler that is not in session mode/),
    );
  });

  for (const pool_mode of ['transaction', 'statement', 'session'])
    it(`in ${pool_mode} mode is refused, even if it drops start-up parameters, unless the URL says session mode, and no session is changed`, async (t) => {
      if (!hasTools(t, 'pgbouncer')) return;
      const config = { pool_mode, ignore_startup_parameters: 'options' };
      const pooled = await startPgBouncer(t, await createDatabase(server), config);
      const sql = connect(t, pooled);
      // PgBouncer itself changes application_name with each client.
      const settings = () =>
        sql`SELECT name, setting FROM pg_settings WHERE source = 'session' AND name <> 'application_name'`;
      const before = await settings();
      await assert.rejects(openStore(pooled), isRefusal(/connection pooler such as PgBouncer/));
      assert.deepEqual(await settings(), before);
    });

  it('in session mode works, also with unsuitable defaults and after its servers were lost', async (t) => {
    if (!hasTools(t, 'pgbouncer')) return;
    const url = await createDatabase(server);
    const admin = connect(t, url);
    const name = new URL(url).pathname.slice(1);
    await admin.unsafe(
      `ALTER DATABASE ${name} SET datestyle = 'SQL, DMY'; ALTER DATABASE ${name} SET array_nulls = off`,
    );
    const pooled = await startPgBouncer(t, url, { pool_mode: 'session', server_login_retry: '0' });
    const DATABASE_URL = `${pooled}?pool_mode=session`;
    const store = await openStore(DATABASE_URL);
    t.after(() => store.close());
    const key = { owner: 'o', key: 'k', fingerprint: 'f' };
    const created = await Promise.all(Array.from({ length: 50 }, () => store.createPet(rex)));
    assert.equal(
      petIn(await store.createPet(rex, { idempotencyKey: key })).id,
      petIn(await store.createPet(rex, { idempotencyKey: key })).id,
    );
    await Promise.all(created.map((one) => store.createOrder({ petId: petIn(one).id })));
    assert.equal((await listOrders(store, { limit: 100 })).length, 50);

    const { origin } = await spawnService(t, { DATABASE_URL });
    const body = { name: 'Rex', categoryId: 1 };
    assert.equal((await call(origin, 'POST', '/v1/pets', { body })).status, 201);
    await admin`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = ${name}`;
    await eventuallyEqual(async () => (await call(origin, 'POST', '/v1/pets', { body })).status, 201);
    assert.equal((await call(origin, 'GET', '/readyz')).status, 200);
    assert.deepEqual(await store.countPets(), { available: 3n, pending: 50n, sold: 0n });
  });
});
