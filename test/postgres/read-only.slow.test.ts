import { it } from 'node:test';
import postgres from 'postgres';
import { createCluster, createDatabase } from '../support/database/postgres.ts';
import { eventually } from '../support/eventually.ts';
import { spawnService } from '../support/service/process.ts';
import { call } from '../support/service/service.ts';

const server = await createCluster();
await server.start();

const body = { name: 'Rex', categoryId: 7 };

for (const scope of ['DATABASE', 'ROLE'] as const)
  it(`writes work again when read-only maintenance by ALTER ${scope} ends, and reads work all the time`, async (t) => {
    const url = await createDatabase(server);
    const name = scope === 'ROLE' ? 'postgres' : new URL(url).pathname.slice(1);
    const { origin } = await spawnService(t, { DATABASE_URL: url });
    const create = async () => (await call(origin, 'POST', '/v1/pets', { body })).status;
    const ready = async () => (await call(origin, 'GET', '/readyz')).status;
    const sql = postgres(url, { max: 1, connection: { default_transaction_read_only: false } });
    t.after(() => sql.end());
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
