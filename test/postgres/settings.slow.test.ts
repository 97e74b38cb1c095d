import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Pet } from '../../src/contract/pet.ts';
import { importPets } from '../../src/store/tools/import-export.ts';
import { assertError } from '../support/assert.ts';
import { createCluster, createDatabase, startCluster } from '../support/database/postgres.ts';
import { connect } from '../support/database/sql.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import { animalStore, spawnService } from '../support/service/process.ts';
import { call } from '../support/service/service.ts';
import { startInstance } from './support/instance.ts';

/** With synchronous_commit off, a crash then loses what was acknowledged in the last seconds. */
const LAZY = ['wal_writer_delay=10s', 'wal_writer_flush_after=1GB'];
const server = await startCluster(LAZY);
const careless = await createCluster('careless');

describe('a PostgreSQL server with non-default settings', () => {
  it('is refused if it acknowledges writes before they are on disk', async () => {
    await careless.start(['fsync=off']);
    const { code, stderr } = await animalStore(['keys', 'list'], { DATABASE_URL: careless.url('postgres') });
    assert.equal(code, 2);
    assert.match(stderr, /^animal-store: the database acknowledges .* set fsync to on\n$/);
  });

  it('loses no acknowledged animal in a crash, even if the default changes while the service runs', async (t) => {
    const { origin, sql, create } = await startInstance(t, server);
    assert.equal(await create(), 201);
    await sql`ALTER ROLE postgres SET synchronous_commit = off`;
    // New connections get the new default.
    await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'animal-store'`;
    const acknowledged = [];
    while (acknowledged.length < 20) {
      const answer = await call(origin, 'POST', '/v1/pets', { body: { name: 'Rex', categoryId: 1 } });
      if (answer.status === 201) acknowledged.push(String((answer.json as Pet).id));
    }
    await server.stop('SIGKILL');
    await server.start(LAZY);
    await sql`ALTER ROLE postgres RESET synchronous_commit`;
    const stored = (await sql`SELECT id::text FROM pets`).map(({ id }) => id);
    assert.deepEqual(
      acknowledged.filter((id) => !stored.includes(id)),
      [],
    );
  });

  it('is not ready, and writes nothing, while a right is missing', async (t) => {
    const url = await createDatabase(server);
    const role = 'keeper';
    const sql = connect(t, url);
    await sql.unsafe(
      `CREATE ROLE ${role} LOGIN; GRANT CREATE ON DATABASE ${new URL(url).pathname.slice(1)} TO ${role};
       ALTER ROLE ${role} SET exit_on_error = on`,
    );
    const { origin } = await spawnService(t, { DATABASE_URL: url.replace('postgres@', `${role}@`) });
    const status = async () => (await call(origin, 'GET', '/readyz')).status;
    assert.equal(await status(), 200);
    await sql.unsafe(`REVOKE INSERT ON pets FROM ${role}`);
    const body = { name: 'Rex', categoryId: 1 };
    const answer = await call(origin, 'POST', '/v1/pets', { body });
    assert.match(assertError(answer, 503, 'unavailable'), /nothing was written/);
    await eventuallyEqual(status, 503);
    assert.equal((await call(origin, 'GET', '/v1/pets')).status, 200);
    await sql.unsafe(`GRANT INSERT ON pets TO ${role}`);
    await eventuallyEqual(status, 200);
    // One that creates do not need.
    await sql.unsafe(`REVOKE DELETE ON events FROM ${role}`);
    await eventuallyEqual(status, 503);
  });

  it('lets an import take as long as it needs, whatever limits the database has', async (t) => {
    const url = await createDatabase(server);
    const sql = connect(t, url);
    const name = new URL(url).pathname.slice(1);
    for (const limit of ['statement_timeout', 'transaction_timeout', 'idle_in_transaction_session_timeout'])
      await sql.unsafe(`ALTER DATABASE ${name} SET ${limit} = '1s'`);
    const input = async function* () {
      yield [{ name: 'Rex', categoryId: 1n, status: 'available' }] as const;
      const open = () => sql`
        SELECT FROM pg_stat_activity WHERE datname = current_database() AND now() - xact_start > interval '2 s'`;
      await eventually(async () => (await open()).length === 1, 'the import takes longer');
    };
    assert.equal((await importPets(url, input(), {})).added, 1);
  });
});

for (const scope of ['DATABASE', 'ROLE'] as const)
  it(`writes work again when read-only maintenance by ALTER ${scope} ends, and reads work all the time`, async (t) => {
    const { url, origin, sql, create, ready } = await startInstance(t, server);
    const name = scope === 'ROLE' ? 'postgres' : new URL(url).pathname.slice(1);
    await sql`SET default_transaction_read_only = off`;
    await eventually(async () => (await create()) === 201, 'writes work');

    await sql.unsafe(`ALTER ${scope} ${name} SET default_transaction_read_only = on`);
    await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'animal-store'`;
    await eventually(async () => (await create()) === 503, 'writes are refused');
    await eventually(async () => (await ready()) === 503, 'it is not ready');
    await eventually(async () => (await call(origin, 'GET', '/v1/pets')).status === 200, 'reads work');

    await sql.unsafe(`ALTER ${scope} ${name} RESET default_transaction_read_only`);
    await eventually(async () => (await create()) === 201, 'writes work again');
    await eventually(async () => (await ready()) === 200, 'it is ready again');
  });
