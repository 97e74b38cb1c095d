import assert from 'node:assert/strict';
import { it } from 'node:test';
import { checkDatabase } from '../../src/cli/doctor/database.ts';
import { readConfig } from '../../src/config.ts';
import { openStore } from '../../src/store/open.ts';
import { PROGRAM_VERSION } from '../../src/store/postgres/schema/migrate.ts';
import { inspectStore } from '../../src/store/tools/inspect.ts';
import { createDatabase, createStore, startCluster } from '../support/database/postgres.ts';
import { connect, openSql, runSql } from '../support/database/sql.ts';
import { eventually } from '../support/eventually.ts';
import { animalStore, assertRefused } from '../support/service/process.ts';

const server = await startCluster(['max_connections=40']);

/** Each damages other rows of a store with five animals, whose categories are 1 to 5, or adds some. */
const DAMAGE = `
  UPDATE inventory SET pets = pets + 1;
  UPDATE category_changes SET pets = pets + 1 WHERE category_id = 1;
  DELETE FROM category_changes WHERE category_id = 2;
  INSERT INTO category_inventory (category_id, status, pets) VALUES (-5, 'sold', 1), (-5, 'pending', 2);
  INSERT INTO category_inventory (category_id, status, pets) VALUES (3, 'available', -1), (4, 'available', 1);
  UPDATE pets SET name = 'Tom' WHERE id = 1;
  UPDATE pets SET folded_name = 'TOM' WHERE id = 2;
  UPDATE pets SET folded_name = NULL WHERE id = 3;
  UPDATE pets SET name = ' ', folded_name = ' ' WHERE id = 4;
  INSERT INTO removed_pets (id, name, category_id, status, folded_name)
    VALUES (98, 'Tom', 7, 'sold', 'TOM'), (97, 'Tom', 7, 'sold', '');
  INSERT INTO categories (id, name, name_key, name_digest) VALUES (7, 'Dogs', 'CATS', 'd');
  INSERT INTO orders (pet_id, status, note) VALUES (1, 'cancelled', 'for Ms Lee');
  INSERT INTO orders (pet_id, status, completed_by) VALUES (1, 'placed', NULL), (90, 'placed', NULL), (91, 'cancelled', ' ');
  INSERT INTO api_keys (name, digest, scopes) VALUES ('a', 'a', 'pets:read pets:burn'), ('b', 'b', '* pets:read');
  UPDATE events SET content = (ARRAY['', '{"pet":', '[]', 'null', '7'])[id];
  INSERT INTO events (id, type, at, content) VALUES (8, 'pet.created', now(), '{}')`;

const PROBLEMS = [
  'the count of animals with the status available is wrong',
  'categories whose animals are counted wrongly: 5, the first is -5',
  'animals whose name is damaged: 4, the first is 1',
  'removed animals whose name or reason is damaged: 1, the first is 97',
  'categories whose name is damaged: 1, the first is 7',
  'orders whose note or key name is damaged: 2, the first is 1',
  'open orders of an animal that is not pending: 1, the first is 2',
  'orders without an animal: 2, the first is 3',
  'API keys with the scopes "pets:read pets:burn", which this version does not know: 1',
  'API keys with the scopes "* pets:read", which this version does not know: 1',
  'events are missing: 2',
  'events whose content is not a JSON object: 5, the first is 1',
];

it('animal-store doctor names whatever was changed in a PostgreSQL database', async () => {
  const url = await createDatabase(server);
  const store = await openStore(url);
  for (const categoryId of [1n, 2n, 3n, 4n, 5n])
    await store.createPet({ name: 'Rex', categoryId, status: 'available' });
  await store.close();
  assert.deepEqual((await inspectStore(url)).problems, []);
  await runSql(url, DAMAGE);
  assert.deepEqual((await inspectStore(url)).problems.toSorted(), PROBLEMS.toSorted());
});

it('animal-store doctor checks a PostgreSQL database without creating anything in it', async () => {
  const env = { DATABASE_URL: await createDatabase(server) };
  const examine = async () => {
    const { code, stdout, stderr } = await animalStore(['doctor', '--json'], env);
    assert.equal(stderr, '');
    const { findings } = JSON.parse(stdout) as {
      findings: { check: string; status: string; message: string; advice?: string }[];
    };
    const found: Record<string, string> = Object.fromEntries(
      findings.map(({ check, status, message, advice = '' }) => [
        check,
        `${status}: ${message}${advice && ` -> ${advice}`}`,
      ]),
    );
    return { code, found };
  };
  for (let n = 0; n < 2; n++) {
    const { code, found } = await examine();
    assert.equal(code, 0);
    assert.match(
      found.database ?? '',
      /^notice: postgres:\/\/\S+ is empty: the next start of the service creates the store in it -> start the service once, or name its database with --database$/,
    );
    assert.equal(found.keys, undefined, 'a store that has no keys table yet gets its first key at the start');
    for (const reading of [['keys', 'list'], ['keys', 'revoke', '1'], ['export']])
      assertRefused(await animalStore(reading, env), /has no store yet: start the service once, or name its/);
  }
  assert.equal((await animalStore(['keys', 'create', '--name', 'till 3'], env)).code, 0);
  const { code, found } = await examine();
  assert.equal(code, 0);
  assert.match(found.database ?? '', /^ok: .* up to date$/);
  assert.match(found.clock ?? '', /^ok: /);

  await runSql(env.DATABASE_URL, `INSERT INTO migrations (version) VALUES (${PROGRAM_VERSION + 1})`);
  assert.match(
    (await examine()).found.database ?? '',
    /^notice: .* its schema is of the next version of this program -> complete the upgrade: start the new version/,
  );
});

it('animal-store doctor finds that the server has too few free connections, unless the service has its own', async (t) => {
  const url = await createStore(server);
  const given = { config: readConfig(['database'], { database: url }, {}), flags: {} };
  const examine = async () => checkDatabase(given, await inspectStore(url))[0];
  // The server may not have ended the sessions of the programs before.
  const untilFree = (free: number) =>
    eventually(async () => (await inspectStore(url)).connections?.free === free, 'the others have ended');
  const [others, more] = [connect(t, url, { max: 27 }), openSql(url, { max: 6 })];
  await Promise.all(Array.from({ length: 27 }, () => others`SELECT pg_sleep(0.5)`));
  await Promise.all(Array.from({ length: 6 }, () => more`SELECT pg_sleep(0.5)`));
  await untilFree(7);
  const { message, advice } = (await examine()) ?? {};
  assert.equal(message, 'the server has 7 free connections, and the service needs 10 more');
  assert.match(advice ?? '', /raise max_connections/);
  await more.end();
  const store = await openStore(url);
  t.after(() => store.close());
  await store.ready();
  await untilFree(8);
  assert.equal((await examine())?.status, 'ok');
});
