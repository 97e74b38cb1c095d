import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync } from 'node:fs';
import {
  chmod,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it, type TestContext } from 'node:test';
import { openStore } from '../../src/store/open.ts';
import { createPartial } from '../../src/store/partial-file.ts';
import { copyDatabase } from '../../src/store/sqlite/backup/copy.ts';
import { backupStore, restoreStore } from '../../src/store/tools/backup.ts';
import { petsIn } from '../support/database/database.ts';
import { TAMPERED } from '../support/database/tampered.ts';
import { eventually } from '../support/eventually.ts';
import { listOrders, listPets } from '../support/lists.ts';
import { runCommand } from '../support/service/command.ts';
import { assertRefused, spawnService } from '../support/service/process.ts';
import { call, temporaryFolder } from '../support/service/service.ts';
import { spawnCommand } from '../support/service/spawn.ts';

/** A folder with the store `pets.db`, which has three animals, an order and a key, and a function that runs commands in it. */
async function start(t: TestContext) {
  const folder = await temporaryFolder(t);
  const store = await openStore(`sqlite:${join(folder, 'pets.db')}`);
  for (const name of ['Rex', 'Tom', '🐶'])
    await store.createPet({ name, categoryId: 7n, status: 'available' });
  await store.createOrder({ petId: 1n }, { by: { keyId: '1', keyName: 'till 3' } });
  await store.createKey({ name: 'till 3', digest: 'a'.repeat(64), scopes: ['*'] });
  await store.close();
  const run = (...args: string[]) => runCommand(args, { DATABASE_URL: 'sqlite:pets.db' }, folder);
  return { folder, run };
}

/** Calls what the command calls, without the time to start a process. */
async function assertRejects(call: Promise<unknown>, says: RegExp): Promise<void> {
  await assert.rejects(call, (error: Error) => {
    assert.match(error.message, /^[^\n]+$/, 'exactly one line');
    assert.match(error.message, says);
    return true;
  });
}

/** Everything in a store that a client or an operator can see. */
async function contentOf(path: string) {
  const store = await openStore(`sqlite:${path}`, { create: false });
  try {
    return {
      pets: await listPets(store, { limit: 100 }),
      orders: await listOrders(store, { limit: 100 }),
      keys: await store.listKeys(),
      counts: await store.countPets(),
    };
  } finally {
    await store.close();
  }
}

function alter(path: string, sql: string): void {
  const db = new DatabaseSync(path);
  db.exec(sql);
  db.close();
}

/** Every row of every table, as text. */
function tablesIn(path: string): string {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all();
    return JSON.stringify(tables.map(({ name }) => [name, db.prepare(`SELECT * FROM "${name}"`).all()]));
  } finally {
    db.close();
  }
}

/** The content of each file, to see that nothing has changed. */
async function filesIn(folder: string): Promise<Record<string, string>> {
  const names = (await readdir(folder)).toSorted();
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), 'base64')])),
  );
}

describe('animal-store backup', { concurrency: 2 }, () => {
  it('writes everything to one file that restore makes a store again', async (t) => {
    const { folder, run } = await start(t);
    const backup = await run('backup', 'copy.db');
    assert.deepEqual({ code: backup.code, stderr: backup.stderr }, { code: 0, stderr: '' });
    assert.match(backup.stdout, /^Backed up 3 animals, 1 order and 1 API key to copy\.db \(\d+\.\d MB\) in /);
    assert.deepEqual((await readdir(folder)).toSorted(), ['copy.db', 'pets.db']);

    const restored = await run('restore', 'copy.db', '--database', 'sqlite:new/shop.db', '--json');
    assert.equal(restored.code, 0, restored.stderr);
    const { database, animals, orders, keys } = JSON.parse(restored.stdout);
    assert.deepEqual({ animals, orders, keys }, { animals: 3, orders: 1, keys: 1 });
    assert.equal(database, `sqlite:${join(folder, 'new/shop.db')}`);
    const expected = await contentOf(join(folder, 'pets.db'));
    assert.equal(expected.pets.length, 3);
    assert.deepEqual(await contentOf(join(folder, 'new/shop.db')), expected);
    assert.deepEqual((await readdir(join(folder, 'new'))).toSorted(), ['shop.db']);
  });

  it('is readable by the same accounts as the database', async (t) => {
    const { folder, run } = await start(t);
    await chmod(join(folder, 'pets.db'), 0o600);
    await run('backup', 'private.db');
    await chmod(join(folder, 'pets.db'), 0o644);
    await run('backup', 'public.db');
    assert.equal((await stat(join(folder, 'private.db'))).mode & 0o777, 0o600);
    assert.equal((await stat(join(folder, 'public.db'))).mode & 0o777, 0o644);
    await run('restore', 'public.db', '--database', 'sqlite:restored.db');
    assert.equal((await stat(join(folder, 'restored.db'))).mode & 0o777, 0o600);
  });

  it('replaces no file, unless --overwrite is given, and never the database itself', async (t) => {
    const { folder, run } = await start(t);
    await writeFile(join(folder, 'copy.db'), 'precious');
    await symlink('pets.db', join(folder, 'link.db'));
    await mkdir(join(folder, 'folder'));
    const before = await filesIn(folder).catch(() => undefined);
    assertRefused(await run('backup', 'copy.db'), /copy\.db exists: .*--overwrite/);
    const at = (file: string, database = 'pets.db') =>
      backupStore(`sqlite:${join(folder, database)}`, join(folder, file), { overwrite: true });
    await symlink('.', join(folder, 'here'));
    for (const file of [
      'pets.db',
      'link.db',
      './pets.db-wal',
      'pets.db-shm',
      'folder/../pets.db',
      'here/pets.db-wal',
    ])
      for (const database of ['pets.db', 'link.db'])
        await assertRejects(at(file, database), /is the database itself/);
    await assertRejects(at('folder'), /is a folder/);
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    await assertRejects(at('pipe'), /pipe is not a file: name a file/);
    await rm(join(folder, 'pipe'));
    await assertRejects(at('none/copy.db'), /there is no folder .*none: create it/);
    assert.deepEqual(await filesIn(folder).catch(() => undefined), before);
    assert.equal(await readFile(join(folder, 'copy.db'), 'utf8'), 'precious');
    assert.equal((await run('backup', 'copy.db', '--overwrite', '--json')).code, 0);
    assert.equal(petsIn(join(folder, 'copy.db')).length, 3);
  });

  it('of a damaged database is refused, and leaves no file', async (t) => {
    const { folder, run } = await start(t);
    const path = join(folder, 'pets.db');
    const db = new DatabaseSync(path);
    db.enableDefensive(false);
    // An index that lacks an entry: copying reads it without an error.
    db.exec(`PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = replace(sql, 'status)', 'category_id)') WHERE name = 'pets_by_status'`);
    db.close();
    assertRefused(await run('backup', 'copy.db'), /pets\.db is damaged \(.*\): restore an earlier backup/);
    assert.deepEqual((await readdir(folder)).toSorted(), ['pets.db']);
  });

  it('does not get its name when another one to the same file has begun meanwhile', async (t) => {
    const { folder } = await start(t);
    const target = join(folder, 'copy.db');
    const beforePublish = () => closeSync(createPartial(target));
    const copy = () => copyDatabase(join(folder, 'pets.db'), target, { overwrite: true, beforePublish });
    assert.throws(copy, /another process has begun to write .*copy\.db: nothing was changed$/);
    assert.deepEqual(
      (await readdir(folder)).toSorted(),
      ['.copy.db.partial', 'pets.db'],
      'that of the other',
    );
  });

  it('replaces what a killed backup to the same file has left, and nothing else', async (t) => {
    const { folder, run } = await start(t);
    for (const name of ['.copy.db.partial', '.copy.db.partial-journal', '.other.db.partial'])
      await writeFile(join(folder, name), 'half of a file');
    assert.equal((await run('backup', 'copy.db')).code, 0);
    assert.equal(petsIn(join(folder, 'copy.db')).length, 3);
    assert.deepEqual((await readdir(folder)).toSorted(), ['.other.db.partial', 'copy.db', 'pets.db']);
  });
});

describe('animal-store restore', { concurrency: 2 }, () => {
  it('replaces no store that contains anything', async (t) => {
    const { folder, run } = await start(t);
    await run('backup', 'copy.db');
    const before = await filesIn(folder);
    assertRefused(
      await run('restore', 'copy.db'),
      /pets\.db is not empty \(animals: 3, orders: 1, API keys: 1\): move it away first/,
    );
    assertRefused(await run('restore', 'pets.db'), /is the database itself/);
    assert.deepEqual(await filesIn(folder), before);
    await rename(join(folder, 'pets.db'), join(folder, 'old.db'));
    assert.equal((await run('restore', 'copy.db')).code, 0);
    assert.deepEqual(await contentOf(join(folder, 'pets.db')), await contentOf(join(folder, 'old.db')));
  });

  it('replaces a store that is empty by the file of a stopped service, and keeps a symbolic link to it', async (t) => {
    const { folder, run } = await start(t);
    await (await openStore(`sqlite:${join(folder, 'empty.db')}`)).close();
    await symlink('empty.db', join(folder, 'link.db'));
    const { code, stderr } = await run('restore', 'pets.db', '--database', 'sqlite:link.db');
    assert.equal(code, 0, stderr);
    assert.equal(petsIn(join(folder, 'empty.db')).length, 3);
    assert.ok((await readdir(folder)).every((name) => !/partial|-wal|-shm/.test(name)));
  });

  it('refuses a store that a service has open, which is not disturbed', async (t) => {
    const { folder, run } = await start(t);
    await run('backup', 'copy.db');
    const database = join(folder, 'served.db');
    const service = await spawnService(t, { DATABASE_URL: `sqlite:${database}` });
    assertRefused(
      await run('restore', 'copy.db', '--database', `sqlite:${database}`),
      /is in use: stop the service, then restore/,
    );
    const body = { name: 'Rex', categoryId: 7 };
    assert.equal((await call(service.origin, 'POST', '/v1/pets', { body })).status, 201);
    assert.equal((await call(service.origin, 'GET', '/readyz')).status, 200);
    service.child.kill('SIGTERM');
    await service.exited;
    assert.equal(petsIn(database).length, 1);
  });

  it('never lets the -wal file of a lost database be applied to the restored one', async (t) => {
    const { folder, run } = await start(t);
    await run('backup', 'copy.db');
    const lost = join(folder, 'lost.db');
    const service = await spawnService(t, { DATABASE_URL: `sqlite:${lost}` });
    await call(service.origin, 'POST', '/v1/pets', { body: { name: 'Lost', categoryId: 7 } });
    service.child.kill('SIGKILL');
    await service.exited;
    await rename(lost, join(folder, 'lost elsewhere.db'));
    const before = await filesIn(folder);
    assertRefused(
      await run('restore', 'copy.db', '--database', 'sqlite:lost.db'),
      /lost\.db is missing or empty, but .*lost\.db-wal has changes to it/,
    );
    assert.deepEqual(await filesIn(folder), before, 'the only copy of those changes is still there');
    for (const suffix of ['-wal', '-shm']) await rename(`${lost}${suffix}`, join(folder, `old${suffix}`));
    await writeFile(`${lost}-journal`, 'left by a crash');
    assert.equal((await run('restore', 'copy.db', '--database', 'sqlite:lost.db')).code, 0);
    assert.deepEqual(
      petsIn(lost).map(({ name }) => name),
      ['Rex', 'Tom', '🐶'],
    );
    assert.ok(!(await readdir(folder)).includes('lost.db-journal'));
  });

  it('is noticed by a process that waits for the lock on the store that it replaces', async (t) => {
    const { folder, run } = await start(t);
    await run('backup', 'copy.db');
    const path = join(folder, 'empty.db');
    await (await openStore(`sqlite:${path}`)).close();
    const restoring = new DatabaseSync(path);
    restoring.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    const waiting = spawnCommand(t, ['keys', 'list'], { DATABASE_URL: `sqlite:${path}` });
    const files = `/proc/${waiting.child.pid}/fd`;
    const isOpen = async () => {
      const targets = (await readdir(files)).map((file) => readlink(join(files, file)).catch(() => ''));
      return (await Promise.all(targets)).includes(path);
    };
    await eventually(isOpen, 'the file is open');
    await rename(join(folder, 'copy.db'), path);
    restoring.close();
    assert.equal(await waiting.exited, 2);
    assert.match(
      waiting.output.stderr,
      /^animal-store: .*empty\.db was replaced while it was being opened: start again\n$/,
    );
    assert.equal(petsIn(path).length, 3);
  });

  it('refuses a file that is no intact backup, and creates nothing', async (t) => {
    const { folder, run } = await start(t);
    await run('backup', 'copy.db');
    const whole = await readFile(join(folder, 'copy.db'));
    await writeFile(join(folder, 'text.db'), 'hello'.repeat(1000));
    await writeFile(join(folder, 'empty.db'), '');
    await writeFile(join(folder, 'half.db'), whole.subarray(0, whole.length / 2));
    await writeFile(join(folder, 'damaged.db'), Buffer.from(whole).fill(0xff, 5 * 4096, 7 * 4096));
    await writeFile(join(folder, 'foreign.db'), whole);
    alter(join(folder, 'foreign.db'), 'PRAGMA application_id = 7');
    const expected = {
      'text.db': /text\.db is not an SQLite database: name another file, or restore a backup/,
      'empty.db': /empty\.db is empty: it is not an Animal Store database/,
      'half.db': /half\.db is cut off: it has \d+ of \d+ bytes: restore an earlier backup/,
      'damaged.db': /damaged\.db is damaged \(.*\): restore an earlier backup/,
      'foreign.db': /foreign\.db belongs to another program/,
      'missing.db': /there is no file .*missing\.db: name one that exists/,
      '.': /is a folder: name a file in it/,
    };
    const before = await filesIn(folder);
    for (const [file, says] of Object.entries(expected)) {
      await assertRejects(restoreStore(`sqlite:${join(folder, 'new.db')}`, join(folder, file)), says);
      assert.deepEqual(await filesIn(folder), before, file);
    }
    const restore = (file: string) => run('restore', file, '--database', 'sqlite:new.db');
    assertRefused(await restore('text.db'), expected['text.db']);
    assertRefused(await restore('missing.db'), /there is no file \/\S+\/missing\.db: [^\n]+\n/);
  });
});

describe('A backup', { concurrency: 2 }, () => {
  it('of a store with wrong content is written, with a warning for each problem, and not restored', async (t) => {
    for (const change of ['a dropped table', 'a name that is no valid UTF-8', 'a wrong count']) {
      const { folder, run } = await start(t);
      const { sql, says } = TAMPERED[change] ?? assert.fail(change);
      alter(join(folder, 'pets.db'), sql);
      const { code, stdout, stderr } = await run('backup', 'copy.db', '--json');
      assert.equal(code, 0, stderr);
      assert.match(
        stderr,
        /^(?:warning: sqlite:.*pets\.db: [^\n]+\n)+warning: the backup has all data, [^\n]+ animal-store doctor --database sqlite:\S+\n$/,
      );
      assert.match(stderr, says);
      assert.match(JSON.parse(stdout).problems.join(), says);
      assert.equal(tablesIn(join(folder, 'copy.db')), tablesIn(join(folder, 'pets.db')));
      const before = await filesIn(folder);
      const restored = await run('restore', 'copy.db', '--database', 'sqlite:new.db');
      assertRefused(restored, /the content of .*copy\.db is wrong \(.*\): restore an earlier/);
      assert.match(restored.stderr, says);
      assert.deepEqual(await filesIn(folder), before);
    }
  });

  it('with tables, views and indexes of the operator is restored', async (t) => {
    const { folder, run } = await start(t);
    alter(
      join(folder, 'pets.db'),
      `CREATE TABLE notes (text); CREATE VIEW cats AS SELECT * FROM pets WHERE category_id = 7;
       CREATE INDEX pets_of_operator ON pets (category_id); ANALYZE`,
    );
    assert.equal((await run('backup', 'copy.db')).code, 0);
    const { code, stderr } = await run('restore', 'copy.db', '--database', 'sqlite:new.db');
    assert.equal(code, 0, stderr);
  });

  it('is written of a store of a newer version, which this one cannot restore', async (t) => {
    const { folder, run } = await start(t);
    alter(join(folder, 'pets.db'), 'ALTER TABLE pets ADD COLUMN price INTEGER; PRAGMA user_version = 99');
    const { code, stderr } = await run('backup', 'copy.db');
    assert.deepEqual([code, stderr], [0, '']);
    assertRefused(
      await run('restore', 'copy.db', '--database', 'sqlite:new.db'),
      /copy\.db was created by a newer version of this program \(schema 99, .*update the program/,
    );
  });
});

describe('For PostgreSQL, animal-store', () => {
  const url =
    'postgres://jo%40e:hid%20den:hid@den@db.example,[::1]:5433/shop%20one?sslmode=require&connect_timeout=3';
  const DATABASE = "'postgres://jo%40e@db.example,[::1]:5433/shop%20one?sslmode=require'";
  const commands = {
    backup: `pg_dump --format=custom --schema=animal_store --file='it'\\''s.dump' --dbname=${DATABASE}\n`,
    restore: `pg_restore --exit-on-error --single-transaction --dbname=${DATABASE} 'it'\\''s.dump'\n`,
  };
  it('restore names a file that begins with a hyphen as no option', async () => {
    const { stderr } = await runCommand(['restore', '--', '-F.dump'], { DATABASE_URL: url });
    assert.match(stderr, / \.\/-F\.dump\n$/);
  });
  for (const [name, command] of Object.entries(commands)) {
    it(`${name} says which command to use, without the password`, async () => {
      const finished = await runCommand([name, "it's.dump"], { DATABASE_URL: url });
      assertRefused(finished, /PGPASSWORD or ~\/\.pgpass/);
      assert.ok(finished.stderr.endsWith(`: ${command}`), finished.stderr);
      assert.doesNotMatch(finished.stderr, /hid/);
    });
  }
});
