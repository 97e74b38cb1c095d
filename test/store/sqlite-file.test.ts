import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rename, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { openStore } from '../../src/store/open.ts';
import { connect, isSafeVersion, makeDurable, pragma } from '../../src/store/sqlite/connection.ts';
import { StoreError } from '../../src/store/store.ts';
import { backupStore } from '../../src/store/tools/backup.ts';
import { inspectStore } from '../../src/store/tools/inspect.ts';
import { petsIn } from '../support/database/database.ts';
import { temporaryFolder } from '../support/service/service.ts';

/** The application id in the header of an Animal Store database. */
const OURS = 0x414e5354;

function execute(path: string, sql: string): void {
  const db = new DatabaseSync(path);
  db.exec(sql);
  db.close();
}

async function newStore(file: string): Promise<void> {
  const store = await openStore(`sqlite:${file}`);
  await store.createPet({ name: 'Rex', categoryId: 7n, status: 'available' });
  await store.close();
}

/** Files that cannot be used, how to create them, and what the error says. */
const unusable: Record<string, { make: (path: string) => Promise<void>; says: RegExp }> = {
  'a database of a newer version': {
    make: async (path) => {
      await newStore(path);
      execute(path, 'PRAGMA user_version = 99');
    },
    says: /newer version.*schema 99.*update the program/,
  },
  'a database of another program': {
    make: async (path) => execute(path, 'CREATE TABLE birds (name TEXT); INSERT INTO birds VALUES (1)'),
    says: /belongs to another program/,
  },
  'a database of another program that has no table yet': {
    make: async (path) => execute(path, 'PRAGMA application_id = 7'),
    says: /belongs to another program/,
  },
  'a database of another program in WAL mode': {
    make: async (path) => execute(path, 'PRAGMA journal_mode = WAL; CREATE TABLE birds (name TEXT)'),
    says: /belongs to another program/,
  },
  'a text file': {
    make: (path) => writeFile(path, 'Rex, Ada\n'.repeat(100)),
    says: /not an SQLite database/,
  },
  'a truncated database': {
    make: async (path) => {
      await newStore(path);
      await writeFile(path, (await readFile(path)).subarray(0, 5000));
    },
    says: /is cut off: it has 5000 of 126976 bytes: restore an earlier backup$/,
  },
  'a migration that fails half-way': {
    // Has the application id and a table that the first migration creates after another one.
    make: async (path) => execute(path, `PRAGMA application_id = ${OURS}; CREATE TABLE api_keys (x)`),
    says: /table api_keys already exists/,
  },
};

async function refusalOf(path: string): Promise<string> {
  const error = await openStore(`sqlite:${path}`).then(
    (store) => store.close(),
    (error: unknown) => error,
  );
  assert.ok(error instanceof StoreError, `refused, not ${error}`);
  assert.match(error.message, /^[^\n]+$/, 'one line');
  assert.ok(error.message.includes(path), 'the error names the file');
  return error.message;
}

describe('Opening a SQLite file refuses', () => {
  for (const [what, { make, says }] of Object.entries(unusable)) {
    it(`${what}, in one clear line, and leaves everything unchanged`, async (t) => {
      const folder = await temporaryFolder(t);
      const path = join(folder, 'pets.db');
      await make(path);
      const [bytes, files] = [await readFile(path), await readdir(folder)];
      assert.match(await refusalOf(path), says);
      assert.ok(bytes.equals(await readFile(path)), 'no byte has changed');
      assert.deepEqual(await readdir(folder), files, 'no file was created or deleted');
    });
  }

  it('a folder, and a path through a file', async (t) => {
    const folder = await temporaryFolder(t);
    await mkdir(join(folder, 'folder'));
    await writeFile(join(folder, 'file'), 'text');
    for (const path of ['folder', 'file/pets.db', 'file/deeper/pets.db']) await refusalOf(join(folder, path));
    assert.deepEqual((await readdir(folder, { recursive: true })).toSorted(), ['file', 'folder']);
    assert.equal(await readFile(join(folder, 'file'), 'utf8'), 'text');
  });
});

it('Of SQLite, only versions with the fix of the WAL-reset bug open a file', () => {
  const versions = ['3.44.5', '3.44.6', '3.45.3', '3.50.6', '3.50.7', '3.51.2', '3.51.3', '3.52.0', '4.0.0'];
  assert.equal(versions.filter(isSafeVersion).join(' '), '3.44.6 3.50.7 3.51.3 3.52.0 4.0.0');
});

describe('Opening a SQLite file by a symbolic link', () => {
  it('uses the file that the link leads to, whether it exists or not', async (t) => {
    const folder = await temporaryFolder(t);
    await mkdir(join(folder, 'disk'));
    await symlink('disk/pets.db', join(folder, 'link.db'));
    for (const _ of ['new', 'existing']) await newStore(join(folder, 'link.db'));
    assert.deepEqual((await readdir(folder, { recursive: true })).toSorted(), [
      'disk',
      'disk/pets.db',
      'link.db',
    ]);
    assert.equal(petsIn(join(folder, 'disk/pets.db')).length, 2);
  });

  it('refuses writes when the link leads to another file while it is in use', async (t) => {
    const folder = await temporaryFolder(t);
    for (const name of ['a.db', 'b.db']) await newStore(join(folder, name));
    const link = join(folder, 'link.db');
    await symlink('a.db', link);
    const reported = Promise.withResolvers<string>();
    const store = await openStore(`sqlite:${link}`, { report: reported.resolve });
    t.after(() => store.close());
    const rex = { name: 'Rex', categoryId: 7n, status: 'available' } as const;
    await store.createPet(rex);
    await symlink('b.db', `${link}.new`);
    await rename(`${link}.new`, link);
    assert.match(await reported.promise, /link\.db was replaced while in use/);
    await assert.rejects(store.createPet(rex), /was replaced while in use/);
    assert.equal(petsIn(join(folder, 'a.db')).length, 2);
    assert.equal(petsIn(join(folder, 'b.db')).length, 1);
  });
});

it('A database file that was replaced while in use is intact after what the log says was done', async (t) => {
  const folder = await temporaryFolder(t);
  const path = join(folder, 'pets.db');
  await newStore(path);
  await backupStore(`sqlite:${path}`, join(folder, 'backup.db'), { overwrite: false });
  const reported = Promise.withResolvers<string>();
  const store = await openStore(`sqlite:${path}`, { report: reported.resolve });
  const rex = { name: 'Rex', categoryId: 7n, status: 'available' } as const;
  await store.createPets(Array.from({ length: 500 }, () => rex));
  await rename(join(folder, 'backup.db'), path);
  const [, log = ''] =
    /stop the service and first move (\S+) to another folder/.exec(await reported.promise) ?? [];
  await store.close();
  assert.ok((await stat(log)).size > 0, 'it would be applied to the new file');
  await mkdir(join(folder, 'old'));
  await rename(log, join(folder, 'old', 'pets.db-wal'));
  await newStore(path);
  assert.equal(petsIn(path).length, 2);
  assert.deepEqual((await inspectStore(`sqlite:${path}`)).problems, []);
});

describe('A connection that writes', () => {
  it('makes every commit durable, on macOS also beyond the cache of the disk', async (t) => {
    const path = join(await temporaryFolder(t), 'pets.db');
    const db = connect(path);
    t.after(() => db.close());
    makeDurable(db, path);
    const expected = { journal_mode: 'wal', synchronous: 2, fullfsync: 1, checkpoint_fullfsync: 1 };
    for (const [name, value] of Object.entries(expected)) assert.equal(pragma(db, name), value, name);
  });
});

describe('A new database file', () => {
  it('and the files beside it are readable by its account only', async (t) => {
    const folder = await temporaryFolder(t);
    const previous = process.umask(0o022);
    t.after(() => process.umask(previous));
    await symlink('linked.db', join(folder, 'link.db'));
    for (const [path, file] of [
      ['pets.db', 'pets.db'],
      ['link.db', 'linked.db'],
    ] as const) {
      const store = await openStore(`sqlite:${join(folder, path)}`);
      t.after(() => store.close());
      await store.createPet({ name: 'Rex', categoryId: 7n, status: 'available' });
      for (const suffix of ['', '-wal', '-shm'])
        assert.equal((await stat(join(folder, `${file}${suffix}`))).mode & 0o777, 0o600, `${file}${suffix}`);
    }
    const existing = join(folder, 'existing.db');
    await writeFile(existing, '', { mode: 0o644 });
    await (await openStore(`sqlite:${existing}`)).close();
    assert.equal((await stat(existing)).mode & 0o777, 0o644, 'the operator has chosen otherwise');
  });
});
