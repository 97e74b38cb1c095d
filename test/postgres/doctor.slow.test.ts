import assert from 'node:assert/strict';
import { it } from 'node:test';
import postgres from 'postgres';
import { openStore } from '../../src/store/open.ts';
import { inspectStore } from '../../src/store/tools/inspect.ts';
import { createCluster, createDatabase } from '../support/database/postgres.ts';
import { animalStore } from '../support/service/process.ts';

const server = await createCluster();
await server.start();

/** What was done to a database of the service, and what the doctor says about it. */
const tampered: [string, string[]][] = [
  ['UPDATE inventory SET pets = pets + 1', ['the count of animals with the status available is wrong']],
  [
    'UPDATE category_changes SET pets = pets + 1',
    ['categories whose animals are counted wrongly: 1, the first is 1'],
  ],
  ['DELETE FROM category_changes', ['categories whose animals are counted wrongly: 1, the first is 1']],
  [
    "INSERT INTO category_inventory (category_id, status, pets) VALUES (-5, 'sold', 1), (-5, 'pending', 2)",
    ['categories whose animals are counted wrongly: 1, the first is -5'],
  ],
  [
    "INSERT INTO category_inventory (category_id, status, pets) VALUES (1, 'available', -1), (2, 'available', 1)",
    ['categories whose animals are counted wrongly: 2, the first is 1'],
  ],
  ...["name = 'Tom'", "folded_name = 'TOM'", 'folded_name = NULL', "name = ' ', folded_name = ' '"].map(
    (change): [string, string[]] => [
      `UPDATE pets SET ${change}`,
      ['animals whose name is damaged: 1, the first is 1'],
    ],
  ),
  [
    "INSERT INTO removed_pets (id, name, category_id, status, folded_name) VALUES (98, 'Tom', 7, 'sold', 'TOM'), (97, 'Tom', 7, 'sold', '')",
    ['removed animals whose name or reason is damaged: 1, the first is 97'],
  ],
  [
    "INSERT INTO categories (id, name, name_key, name_digest) VALUES (7, 'Dogs', 'CATS', 'd')",
    ['categories whose name is damaged: 1, the first is 7'],
  ],
  [
    "INSERT INTO orders (pet_id, status, note) VALUES (1, 'cancelled', 'for Ms Lee')",
    ['orders whose note is damaged: 1, the first is 1'],
  ],
  [
    "INSERT INTO orders (pet_id, status) VALUES (1, 'placed')",
    ['open orders of an animal that is not pending: 1, the first is 1'],
  ],
  [
    "INSERT INTO orders (pet_id, status) VALUES (99, 'placed')",
    ['orders without an animal: 1, the first is 1'],
  ],
  [
    "INSERT INTO api_keys (name, digest, scopes) VALUES ('till', 'd', 'pets:read pets:burn')",
    ['API keys with the scopes "pets:read pets:burn", which this version does not know: 1'],
  ],
  [
    "INSERT INTO api_keys (name, digest, scopes) VALUES ('till', 'd', '* pets:read')",
    ['API keys with the scopes "* pets:read", which this version does not know: 1'],
  ],
  [
    "INSERT INTO orders (pet_id, status) VALUES (99, 'cancelled')",
    ['orders without an animal: 1, the first is 1'],
  ],
  [
    "INSERT INTO events (id, type, at, content) VALUES (4, 'pet.created', now(), '{}')",
    ['events are missing: 2'],
  ],
  ...['', '{"pet":', '[]', 'null', '7'].map((content): [string, string[]] => [
    `UPDATE events SET content = '${content}'`,
    ['events whose content is not a JSON object: 1, the first is 1'],
  ]),
];

for (const [change, problems] of tampered)
  it(`animal-store doctor names what was changed: ${change}`, async (t) => {
    const url = await createDatabase(server);
    const store = await openStore(url);
    await store.createPet({ name: 'Rex', categoryId: 1n, status: 'available' });
    await store.close();
    assert.deepEqual((await inspectStore(url)).problems, []);
    const sql = postgres(url, { max: 1, onnotice: () => {}, connection: { search_path: 'animal_store' } });
    t.after(() => sql.end());
    await sql.unsafe(change);
    assert.deepEqual((await inspectStore(url)).problems, problems);
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
  }
  assert.equal((await animalStore(['keys', 'create', '--name', 'till 3'], env)).code, 0);
  const { code, found } = await examine();
  assert.equal(code, 0);
  assert.match(found.database ?? '', /^ok: .* up to date$/);
  assert.match(found.clock ?? '', /^ok: /);
});
