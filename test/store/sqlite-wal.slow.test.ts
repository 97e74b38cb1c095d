import assert from 'node:assert/strict';
import { copyFile, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import type { NewPet } from '../../src/contract/pet.ts';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';
import { inspectStore } from '../../src/store/tools/inspect.ts';
import { petsIn } from '../support/database/database.ts';
import { animalStore } from '../support/service/process.ts';
import { temporaryFolder } from '../support/service/service.ts';

const rex: NewPet = { name: 'Rex', categoryId: 7n, status: 'available' };
/** More pages than SQLite writes to a WAL before it restarts it. */
const MANY = 3000;

const createMany = (store: Store) =>
  Promise.all(Array.from({ length: MANY }, () => store.createPet({ ...rex, name: 'x'.repeat(900) })));

interface LiveStore {
  readonly store: Store;
  readonly file: string;
  /** Copies the files in the state that a crash now would leave them in. */
  crashedCopy(): Promise<string>;
}

async function openLive(t: TestContext): Promise<LiveStore> {
  const folder = await temporaryFolder(t);
  const file = join(folder, 'pets.db');
  const store = await openStore(`sqlite:${file}`);
  t.after(() => store.close());
  let copies = 0;
  const crashedCopy = async () => {
    const copy = join(folder, `copy ${++copies} – é #.db`);
    await copyFile(file, copy);
    await copyFile(`${file}-wal`, `${copy}-wal`);
    return copy;
  };
  return { store, file, crashedCopy };
}

async function assertOpens(path: string, pets: number): Promise<void> {
  const store = await openStore(`sqlite:${path}`);
  const { available } = await store.countPets();
  await store.close();
  assert.equal(available, BigInt(pets));
}

describe('A -wal file', { timeout: 120_000 }, () => {
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

  it('without its database is deleted by no command, and the message advises no one to delete it', async (t) => {
    const { store, file, crashedCopy } = await openLive(t);
    await store.createPet(rex);
    const backup = `${file}.backup`;
    assert.equal((await animalStore(['backup', backup], { DATABASE_URL: `sqlite:${file}` })).code, 0);
    for (const lose of [rm, (path: string) => writeFile(path, '')]) {
      const copy = await crashedCopy();
      const link = `${copy}.link`;
      await symlink(copy, link);
      await lose(copy);
      const before = await readFile(`${copy}-wal`);
      for (const path of [copy, link]) {
        const DATABASE_URL = `sqlite:${path}`;
        for (const command of [
          ['serve'],
          ['restore', backup],
          ['keys', 'create', '--name', 'a', '--create'],
        ]) {
          const { code, stderr } = await animalStore(command, { DATABASE_URL, PORT: '0' });
          assert.equal(code, 2, stderr);
          assert.match(stderr, /^animal-store: the database .* is missing or empty, but .*-wal has changes/);
          assert.match(stderr, /: put the database file back, or move .*-wal to another folder/);
          assert.doesNotMatch(stderr, /delete|remove/i);
        }
        assert.notEqual((await animalStore(['backup', `${file}.other`], { DATABASE_URL })).code, 0);
        await assert.rejects(inspectStore(DATABASE_URL), /there is no database|is missing or empty/);
        assert.deepEqual(await readFile(`${copy}-wal`), before);
      }
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
});
