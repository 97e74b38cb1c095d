import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it, type TestContext } from 'node:test';
import { openStore } from '../../src/store/open.ts';
import { createReference } from '../../src/store/sqlite/schema/migrate.ts';
import { olderRows } from '../support/database/older-content.ts';
import { insertInto, olderFile } from '../support/database/older-file.ts';
import { assertUpgraded } from '../support/database/upgraded.ts';
import { listOrders, listPets } from '../support/lists.ts';
import { runCommand } from '../support/service/command.ts';
import { orderIn, petIn } from '../support/service/created.ts';
import { spawnService } from '../support/service/process.ts';
import { temporaryFolder } from '../support/service/service.ts';

/** Before animals could be changed or removed, and before there were categories. */
const OLD_VERSION = 4;

/** A file of that version with so many animals, of which each tenth is ordered. */
async function oldFile(t: TestContext, animals: number, nameLength: number): Promise<string> {
  const file = join(await temporaryFolder(t), 'pets.db');
  const old = createReference(OLD_VERSION);
  old.exec(`
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${animals})
    INSERT INTO pets (name, category_id, status, name_key)
    SELECT printf('%0${nameLength}d', i), i % 7, iif(i % 10 = 0, 'pending', 'available'), printf('%0${nameLength}d', i) FROM n;
    INSERT INTO orders (pet_id, status, created_at, updated_at) SELECT id, 'placed', 1, 2 FROM pets WHERE id % 10 = 0`);
  old.prepare('VACUUM INTO ?').run(file);
  old.close();
  return file;
}

/** The store in such a file, and the lines of its update. */
async function update(t: TestContext, animals: number, nameLength: number) {
  const file = await oldFile(t, animals, nameLength);
  const lines: string[] = [];
  const store = await openStore(`sqlite:${file}`, {
    upgrade: true,
    onMigration: (line) => void lines.push(line),
  });
  t.after(() => store.close());
  return { store, lines };
}

/** The version of the schema that this program creates. */
function newestVersion(): number {
  const newest = createReference(99);
  const { user_version } = newest.prepare('PRAGMA user_version').get() ?? {};
  newest.close();
  return Number(user_version);
}

describe('A store of an older version', () => {
  for (let version = 1; version < newestVersion(); version++)
    it(`opens from version ${version} with all that this version finds and counts`, async (t) => {
      const file = join(await temporaryFolder(t), 'pets.db');
      olderFile(file, version, insertInto(olderRows(version)));
      const url = `sqlite:${file}`;
      const store = await openStore(url, { upgrade: true });
      t.after(() => store.close());
      await assertUpgraded(store, url, version);
    });

  it('opens with all its animals and orders, which can then be corrected', async (t) => {
    const { store, lines } = await update(t, 70, 5);
    assert.deepEqual(lines, []);
    assert.deepEqual(await store.countPets(), { available: 63n, pending: 7n, sold: 0n });
    assert.equal((await listPets(store, { limit: 100, categoryId: 3n })).length, 10);
    const [order] = await listOrders(store, { limit: 1, petId: 70n });
    assert.deepEqual(order, {
      id: 7n,
      petId: 70n,
      status: 'placed',
      createdAt: '1970-01-01T00:00:00.001Z',
      updatedAt: '1970-01-01T00:00:00.002Z',
    });
    await store.updateOrder(7n, { status: 'completed' });
    await store.removePet(70n);
    assert.equal(orderIn(await store.createOrder({ petId: 1n })).id, 8n);
    const pet = { name: 'Rex', categoryId: 1n, status: 'available' } as const;
    assert.equal(petIn(await store.createPet(pet)).id, 71n);
  });

  it('opens with its keys, which have full access as before', async (t) => {
    const file = await oldFile(t, 1, 5);
    const db = new DatabaseSync(file);
    db.exec("INSERT INTO api_keys (name, digest, created_at) VALUES ('till', 'd', 1)");
    db.close();
    const store = await openStore(`sqlite:${file}`, { upgrade: true });
    t.after(() => store.close());
    assert.deepEqual(await store.listKeys(), [
      { id: '1', name: 'till', digest: 'd', scopes: ['*'], createdAt: new Date(1) },
    ]);
    const { keys } = await store.listKeyChanges(0, 10);
    assert.deepEqual(keys[0]?.scopes, ['*']);
  });

  it('says so if that takes a while', async (t) => {
    const { store, lines } = await update(t, 20_000, 1000);
    assert.ok(lines.length > 0);
    for (const [i, line] of lines.entries())
      assert.match(line, new RegExp(`^Updating the database .*, step ${i + 1} of ${lines.length}\\.`));
    assert.equal((await store.countPets()).available, 18_000n);
  });

  it('is not upgraded by a command, which says what to do', async (t) => {
    const file = await oldFile(t, 10, 5);
    const before = await readFile(file);
    const env = { DATABASE_URL: `sqlite:${file}` };
    const rows = `${file}.csv`;
    await writeFile(rows, 'name,categoryId\nRex,7\n');
    for (const command of [
      ['keys', 'list'],
      ['keys', 'create', '--name', 'till', '--create'],
      ['keys', 'rotate', '1'],
      ['keys', 'revoke', '1'],
      ['categories', 'list'],
      ['categories', 'set', '7', 'Dogs'],
      ['categories', 'remove', '7'],
      ['events'],
      ['export'],
      ['import', rows, '--create'],
      ['seed', '5', '--create'],
    ]) {
      const { code, stderr } = await runCommand(command, env);
      assert.equal(code, 2, `${command.join(' ')}: ${stderr}`);
      assert.match(
        stderr,
        /^animal-store: the database .*pets\.db was created by an older version of this program: start the service of this version once, which upgrades it\n$/,
      );
      assert.deepEqual(await readFile(file), before, command.join(' '));
    }
  });

  it('is upgraded by the service, with a line for the person who waits', async (t) => {
    const env = { DATABASE_URL: `sqlite:${await oldFile(t, 20_000, 1000)}` };
    const service = await spawnService(t, env);
    assert.match(service.output.stderr, /^Updating the database /);
    assert.deepEqual((await runCommand(['keys', 'list', '--json'], env)).stdout, '[]\n');
  });

  it('refuses what a service of an older version still writes after the upgrade: it would lack its event', async (t) => {
    const file = await oldFile(t, 10, 5);
    const old = new DatabaseSync(file);
    t.after(() => old.close());
    const store = await openStore(`sqlite:${file}`, { upgrade: true });
    t.after(() => store.close());
    // As 6990a98 and 4cb8893 write: every change of theirs has one of these.
    for (const write of [
      "INSERT INTO pets (name, category_id, status, name_key) VALUES ('Rex', 1, 'available', 'REX')",
      "INSERT INTO orders (pet_id, status, created_at, updated_at) VALUES (1, 'placed', 1, 1)",
      "UPDATE orders SET status = 'completed', updated_at = 1 WHERE id = 1",
    ])
      assert.throws(() => old.exec(write), /no (?:such )?column|has no column/, write);
  });
});
