import assert from 'node:assert/strict';
import { it } from 'node:test';
import postgres from 'postgres';
import type { ApiError } from '../../src/contract/errors.ts';
import { INT64_MAX } from '../../src/contract/int64.ts';
import { createDatabase, type Server } from '../support/database/postgres.ts';
import { startVersions } from '../support/database/postgres-versions.ts';
import { listPets } from '../support/lists.ts';
import { LONG_RUN } from '../support/service/attacked-service.ts';
import { orderIn, petIn } from '../support/service/created.ts';
import { conformance, openOn } from './conformance.ts';

const HOSTILE = [
  "datestyle = 'SQL, DMY'",
  'array_nulls = off',
  'synchronous_commit = off',
  "timezone = 'Asia/Kolkata'",
  'intervalstyle = sql_standard',
  'client_encoding = LATIN1',
  'search_path = pg_catalog',
  'default_transaction_isolation = serializable',
  'default_transaction_deferrable = on',
  'standard_conforming_strings = off',
  'exit_on_error = on',
  'statement_timeout = 5000',
  'lock_timeout = 1',
  'idle_in_transaction_session_timeout = 1',
  'idle_session_timeout = 5000',
  'transaction_timeout = 5000',
  'extra_float_digits = -15',
  'bytea_output = escape',
  'transform_null_equals = on',
  'backslash_quote = off',
  'quote_all_identifiers = on',
  'plan_cache_mode = force_generic_plan',
];

const servers = await startVersions();
const capabilities = { persistent: true, versioned: false, thorough: true };

for (const { name, server } of servers) {
  // Under other defaults, every guarantee that depends on one fails. Without them, it is only tested once more.
  conformance(
    `${name} with hostile defaults`,
    async (t) => openOn(t, await hostileDatabase(server)),
    capabilities,
  );
  if (LONG_RUN) conformance(name, async (t) => openOn(t, await createDatabase(server)), capabilities);
}

/** A database whose defaults, and those of its role, are as unsuitable as they can be. Its URL. */
async function hostileDatabase(server: Server): Promise<string> {
  const url = await createDatabase(server);
  const name = new URL(url).pathname.slice(1);
  const sql = postgres(url, { max: 1 });
  const role = `owner_of_${name}`;
  const targets = [`DATABASE ${name}`, `ROLE ${role}`];
  const settings = await sql`SELECT name FROM pg_settings`;
  const known = HOSTILE.filter((setting) => settings.some((one) => setting.startsWith(`${one.name} `)));
  await sql.unsafe(`
    CREATE ROLE ${role} LOGIN;
    GRANT CREATE ON DATABASE ${name} TO ${role};
    ${known.map((setting, i) => `ALTER ${targets[i % 2]} SET ${setting}`).join(';')}`);
  await sql.end();
  return url.replace('postgres@', `${role}@`);
}

const [{ server } = assert.fail()] = servers;

it('PostgreSQL assigns the id 2^63-1; after that, creates are unavailable, it is not ready, and reads work', async (t) => {
  const url = await createDatabase(server);
  const { store } = await openOn(t, url);
  const sql = postgres(url);
  await sql`SELECT setval('animal_store.pets_id_seq', ${`${INT64_MAX - 1n}`}::int8)`;
  await sql.end();
  const rex = { name: 'Rex', categoryId: 7n, status: 'available' } as const;
  const last = { id: INT64_MAX, ...rex };
  assert.deepEqual(petIn(await store.createPet(rex)), last);
  for (const outcome of await Promise.allSettled([store.createPet(rex), store.createPet(rex)])) {
    assert.equal(outcome.status, 'rejected');
    assert.equal((outcome.reason as ApiError).code, 'unavailable', String(outcome.reason));
  }
  await assert.rejects(store.ready(), { code: 'unavailable' });
  assert.deepEqual(await listPets(store, { limit: 10 }), [last]);
});

it('PostgreSQL never updates an order before it was created, even if the clock was set back', async (t) => {
  const url = await createDatabase(server);
  const { store } = await openOn(t, url);
  const pet = petIn(await store.createPet({ name: 'Rex', categoryId: 7n, status: 'available' }));
  const order = orderIn(await store.createOrder({ petId: pet.id }));
  const sql = postgres(url);
  await sql`UPDATE animal_store.orders SET created_at = created_at + interval '1 day'`;
  await sql.end();
  const { createdAt, updatedAt } = orderIn(await store.updateOrder(order.id, { status: 'completed' }));
  assert.ok(createdAt > order.createdAt);
  assert.equal(updatedAt, createdAt);
});
