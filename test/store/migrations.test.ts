import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it, type TestContext } from 'node:test';
import { migrationsAfter, newestVersion } from '../../src/store/migrations.ts';
import { migrate } from '../../src/store/sqlite/schema/migrate.ts';
import { StoreError } from '../../src/store/store.ts';
import { withMigrations } from '../support/database/added-migrations.ts';
import { runCommand } from '../support/service/command.ts';
import { temporaryFolder } from '../support/service/service.ts';

async function folderWith(t: TestContext, files: readonly string[]): Promise<string> {
  const folder = await temporaryFolder(t);
  for (const file of files) await writeFile(join(folder, file), `-- ${file}`);
  return folder;
}

describe('Migrations', () => {
  it('begin with a baseline and have the version of their file name, and other files are ignored', async (t) => {
    const strays = ['.DS_Store', '000-notes.md', '012-a.sql~', '012-a.sql.orig', '10-x.sql', 'README'];
    const folder = await folderWith(t, ['014-more.sql', '012-baseline.sql', '015-last.sql', ...strays]);
    const [baseline, ...later] = migrationsAfter(0, folder, 'pets.db');
    assert.deepEqual(baseline, { version: 12, sql: '-- 012-baseline.sql' });
    assert.deepEqual(later, [
      { version: 14, sql: '-- 014-more.sql' },
      { version: 15, sql: '-- 015-last.sql' },
    ]);
    assert.deepEqual(migrationsAfter(12, folder, 'pets.db'), later);
    assert.deepEqual(migrationsAfter(15, folder, 'pets.db'), []);
    assert.equal(newestVersion(folder), 15);
  });

  const unusable: Record<string, [files: string[], wrong: string]> = {
    'a duplicate number': [['012-a.sql', '013-b.sql', '013-c.sql'], '013-c.sql'],
    'a number 000': [['000-a.sql', '001-b.sql'], '000-a.sql'],
  };
  for (const [what, [files, wrong]] of Object.entries(unusable)) {
    it(`are refused with ${what}, in one line that names the file`, async (t) => {
      const folder = await folderWith(t, files);
      assert.throws(
        () => migrationsAfter(0, folder, 'pets.db'),
        (error) =>
          error instanceof StoreError &&
          error.message === `each migration must have a number of its own, from 001: ${join(folder, wrong)}`,
      );
    });
  }

  it('refuse a database that a newer version has created, and one from before the baseline', async (t) => {
    const folder = await folderWith(t, ['012-baseline.sql', '014-more.sql']);
    assert.deepEqual(migrationsAfter(15, folder, 'pets.db'), []);
    assert.throws(
      () => migrationsAfter(16, folder, 'pets.db'),
      /newer version.*schema 16, this one knows 14/,
    );
    for (const version of [1, 11])
      assert.throws(
        () => migrationsAfter(version, folder, 'pets.db'),
        /: the database pets\.db was made by a development version before 1\.0\.0: start commit a725038 on it once, then this version$/,
      );
  });
});

describe('An SQLite file', () => {
  /** An open file with the schema of the program. */
  async function start(t: TestContext) {
    const file = join(await temporaryFolder(t), 'pets.db');
    const db = new DatabaseSync(file);
    t.after(() => db.close());
    migrate(db, file);
    const value = (sql: string) => Object.values(db.prepare(sql).get() ?? {})[0];
    return { file, db, value };
  }

  it('is upgraded step by step: a migration that fails leaves those before it, and the next start goes on', async (t) => {
    const { file, db, value } = await start(t);
    const first = 'CREATE TABLE first (n); INSERT INTO first VALUES (1)';
    const failing = await withMigrations(
      t,
      'sqlite',
      first,
      'CREATE TABLE second (n); SELECT 1 FROM missing',
    );
    assert.throws(
      () => migrate(db, file, { upgrade: true, folder: failing.folder }),
      /no such table: missing/,
    );
    assert.equal(value('PRAGMA user_version'), failing.newest + 1);
    assert.equal(value("SELECT count(*) FROM sqlite_schema WHERE name = 'second'"), 0);
    const { folder } = await withMigrations(t, 'sqlite', first, 'CREATE TABLE second (n)');
    migrate(db, file, { upgrade: true, folder });
    assert.equal(value('PRAGMA user_version'), failing.newest + 2);
    assert.equal(value('SELECT count(*) FROM first'), 1);
    assert.equal(value('SELECT count(*) FROM second'), 0);
  });

  it('is created with every migration in one transaction', async (t) => {
    const { folder } = await withMigrations(t, 'sqlite', 'CREATE TABLE first (n)', 'SELECT 1 FROM missing');
    const db = new DatabaseSync(':memory:');
    t.after(() => db.close());
    assert.throws(() => migrate(db, ':memory:', { folder }), /no such table: missing/);
    assert.deepEqual(db.prepare('SELECT name FROM sqlite_schema').all(), []);
  });

  it('is not upgraded by a command, which says what to do', async (t) => {
    const { file, db } = await start(t);
    db.exec('ALTER TABLE orders DROP COLUMN created_by; PRAGMA user_version = 14');
    const pets = `${file}.csv`;
    await writeFile(pets, 'name,categoryId\nRex,7\n');
    const before = readFileSync(file);
    for (const command of [
      ['keys', 'create', '--name', 'till'],
      ['categories', 'merge', '7', '--into', '3'],
      ['import', pets],
      ['export'],
    ]) {
      const { code, stderr } = await runCommand(command, { DATABASE_URL: `sqlite:${file}` });
      assert.equal(code, 2, command.join(' '));
      assert.match(
        stderr,
        /: the database .*pets\.db was created by an older version of this program: start the service of this version once, which upgrades it\n$/,
      );
      assert.deepEqual(readFileSync(file), before);
    }
  });

  it('that is large is upgraded with a line for the person who waits', async (t) => {
    const { file, db } = await start(t);
    const large = 'CREATE TABLE large (filler); INSERT INTO large VALUES (zeroblob(34000000))';
    const { folder } = await withMigrations(t, 'sqlite', large, 'SELECT 1');
    const lines: string[] = [];
    migrate(db, file, { upgrade: true, folder, onMigration: (line) => void lines.push(line) });
    assert.equal(lines.length, 1);
    assert.match(lines[0] ?? '', /^Updating the database .*pets\.db, step 2 of 2\. /);
  });
});
