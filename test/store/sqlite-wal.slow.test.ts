import assert from 'node:assert/strict';
import { copyFile, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { describe, it, type TestContext } from 'node:test';
import type { NewPet } from '../../src/contract/pet.ts';
import { openStore } from '../../src/store/open.ts';
import { type Store, StoreError } from '../../src/store/store.ts';
import { petsIn } from '../support/database.ts';
import { launch, MAIN } from '../support/launch.ts';
import { animalStore, spawnService } from '../support/process.ts';
import { call, temporaryFolder } from '../support/service.ts';
import { hasTools } from '../support/tools.ts';

const rex: NewPet = { name: 'Rex', categoryId: 7n, status: 'available' };
/** More pages than SQLite writes to a WAL before it restarts it. */
const MANY = 3000;

const createMany = (store: Store) =>
  Promise.all(Array.from({ length: MANY }, () => store.createPet({ ...rex, name: 'x'.repeat(900) })));

interface LiveStore {
  readonly store: Store;
  readonly file: string;
  /** Copies the files in the state that a crash now would leave them in. */
  crashedCopy(database?: string): Promise<string>;
}

async function openLive(t: TestContext): Promise<LiveStore> {
  const folder = await temporaryFolder(t);
  const file = join(folder, 'pets.db');
  const store = await openStore(`sqlite:${file}`);
  t.after(() => store.close());
  let copies = 0;
  const crashedCopy = async (database = file) => {
    const copy = join(folder, `copy ${++copies} – é #.db`);
    await copyFile(database, copy);
    await copyFile(`${file}-wal`, `${copy}-wal`);
    return copy;
  };
  return { store, file, crashedCopy };
}

async function filesIn(folder: string): Promise<Record<string, string>> {
  const names = (await readdir(folder)).toSorted();
  const contents = await Promise.all(names.map((name) => readFile(join(folder, name), 'base64')));
  return Object.fromEntries(names.map((name, i) => [name, contents[i] as string]));
}

async function assertRefused(path: string): Promise<void> {
  const before = await filesIn(join(path, '..'));
  await assert.rejects(openStore(`sqlite:${path}`), (error) => {
    assert.ok(error instanceof StoreError, String(error));
    assert.match(
      error.message,
      /^[^\n]*-wal contains changes to another database file [^\n]*delete [^\n]*-wal/,
    );
    return true;
  });
  assert.deepEqual(await filesIn(join(path, '..')), before, 'nothing has changed');
}

async function assertOpens(path: string, pets: number): Promise<void> {
  const store = await openStore(`sqlite:${path}`);
  const { available } = await store.countPets();
  await store.close();
  assert.equal(available, BigInt(pets));
}

describe('A -wal file', { timeout: 120_000 }, () => {
  it('of a killed service is not applied to a different database that replaced the original', async (t) => {
    const folder = await temporaryFolder(t);
    const [file, other] = [join(folder, 'pets.db'), join(folder, 'other.db')];
    const service = await spawnService(t, { DATABASE_URL: `sqlite:${file}` });
    const body = { name: 'Rex', categoryId: 7 };
    assert.equal((await call(service.origin, 'POST', '/v1/pets', { body })).status, 201);
    service.child.kill('SIGKILL');
    await service.exited;
    const otherStore = await openStore(`sqlite:${other}`);
    await otherStore.createPet(rex);
    await otherStore.close();

    const kept = await readFile(file);
    await rename(other, file);
    const before = await filesIn(folder);
    const { code, stderr } = await animalStore(['serve'], { DATABASE_URL: `sqlite:${file}`, PORT: '0' });
    assert.equal(code, 2, stderr);
    assert.match(
      stderr,
      /^animal-store: [^\n]*pets\.db-wal contains changes to another database file[^\n]*\n$/,
    );
    assert.deepEqual(await filesIn(folder), before, 'nothing has changed');

    await writeFile(file, kept);
    await assertOpens(file, 1);
  });

  it('is applied to its own database, even if both were copied elsewhere', async (t) => {
    const { store, file, crashedCopy } = await openLive(t);
    await assertOpens(await crashedCopy(), 0);
    await store.createPet(rex);
    await assertOpens(await crashedCopy(), 1);
    for (let round = 1; round <= 3; round++) {
      await createMany(store);
      await assertOpens(await crashedCopy(), 1 + round * MANY);
    }
    assert.equal(petsIn(file).length, 1 + 3 * MANY);
  });

  it('is recognized next to the file that a symbolic link leads to', async (t) => {
    const { store, file, crashedCopy } = await openLive(t);
    const old = `${file}.old`;
    await copyFile(file, old);
    await createMany(store);
    for (const [name, database] of Object.entries({ own: file, old })) {
      const link = `${file}.${name}.link`;
      await symlink(await crashedCopy(database), link);
      if (database === file) await assertOpens(link, MANY);
      else await assertRefused(link);
    }
  });

  it('is not applied to an older copy of its database', async (t) => {
    const { store, file, crashedCopy } = await openLive(t);
    const old = `${file}.old`;
    await copyFile(file, old);
    await createMany(store);
    // When the WAL restarts, the identity of the previous one is already in the database file.
    await createMany(store);
    await assertRefused(await crashedCopy(old));
  });

  it('is not applied to a backup of its database, which has its pages in a different order', async (t) => {
    const { store, file, crashedCopy } = await openLive(t);
    await createMany(store);
    const db = new DatabaseSync(file);
    const [vacuumed, backedUp] = [`${file}.vacuumed`, `${file}.backup`];
    db.prepare('VACUUM INTO ?').run(vacuumed);
    await backup(db, backedUp);
    db.close();
    await store.createPet(rex);
    await assertRefused(await crashedCopy(vacuumed));
    await assertRefused(await crashedCopy(backedUp));
  });

  it('without its database is not deleted', async (t) => {
    const { store, crashedCopy } = await openLive(t);
    await store.createPet(rex);
    for (const make of [rm, (path: string) => writeFile(path, '')]) {
      const copy = await crashedCopy();
      await make(copy);
      const before = await readFile(`${copy}-wal`);
      await assert.rejects(
        openStore(`sqlite:${copy}`),
        /^Error: the database .* is missing, but .*-wal contains/,
      );
      assert.deepEqual(await readFile(`${copy}-wal`), before);
    }
  });

  it('whose header is damaged is ignored, as in SQLite', async (t) => {
    const { crashedCopy } = await openLive(t);
    const copy = await crashedCopy();
    await writeFile(`${copy}-wal`, Buffer.alloc(10_000, 0xff));
    await assertOpens(copy, 0);
  });

  it('of a running service does not prevent other processes from opening the database', async (t) => {
    const { store, file } = await openLive(t);
    let writing = true;
    const written = (async () => {
      while (writing) await createMany(store);
    })();
    for (let n = 0; n < 10; n++) await (await openStore(`sqlite:${file}`)).close();
    writing = false;
    await written;
  });

  it('that the last other process removes just before it is read prevents nothing, either', async (t) => {
    if (!hasTools(t, 'strace')) return;
    const { store, file } = await openLive(t);
    await store.createPet(rex);
    // Found by its name, and gone when it is opened the first time.
    const removed = ['-P', `${file}-wal`, '-e', 'inject=openat:error=ENOENT:when=1'];
    const strace = ['strace', '-f', '-qq', '-o', `${file}.trace`, ...removed];
    const command = launch(t, [...strace, process.execPath, MAIN, 'export'], {
      env: { DATABASE_URL: `sqlite:${file}` },
    });
    const { code } = await command.ended();
    assert.equal(code, 0, command.output());
    assert.match(command.output(), /"name":"Rex"/);
    assert.match(await readFile(`${file}.trace`, 'utf8'), /ENOENT .*\(INJECTED\)/);
  });
});
