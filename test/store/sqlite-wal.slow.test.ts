import assert from 'node:assert/strict';
import { copyFile, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it, type TestContext } from 'node:test';
import { checkDisk } from '../../src/cli/doctor/disk.ts';
import { readConfig } from '../../src/config.ts';
import type { NewPet } from '../../src/contract/pet.ts';
import { LARGE_WAL_BYTES } from '../../src/store/database-files.ts';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';
import { exportPets } from '../../src/store/tools/import-export.ts';
import { inspectStore } from '../../src/store/tools/inspect.ts';
import { openSqliteFile } from '../support/database/sqlite-file.ts';
import { eventually } from '../support/eventually.ts';
import { trace } from '../support/measure/trace.ts';
import { animalStore } from '../support/service/process.ts';
import { temporaryFolder } from '../support/service/service.ts';
import { isRootWith } from '../support/service/tools.ts';

const rex: NewPet = { name: 'Rex', categoryId: 7n, status: 'available' };
/** More pages than SQLite writes to a WAL before it restarts it. */
const MANY = 3000;

const createMany = (store: Store) =>
  Promise.all(Array.from({ length: MANY }, () => store.createPet({ ...rex, name: 'x'.repeat(900) })));

/** Copies the files of an open store, in the state that a crash now would leave them in. */
async function copyAsCrashed(file: string, name: string): Promise<string> {
  const copy = join(dirname(file), name);
  await copyFile(file, copy);
  await copyFile(`${file}-wal`, `${copy}-wal`);
  return copy;
}

describe('A -wal file', { timeout: 120_000 }, () => {
  it('without its database is deleted by no command, and the message advises no one to delete it', async (t) => {
    const { store, file } = await openSqliteFile(t);
    await store.createPet(rex);
    const backup = `${file}.backup`;
    assert.equal((await animalStore(['backup', backup], { DATABASE_URL: `sqlite:${file}` })).code, 0);
    for (const [n, lose] of [rm, (path: string) => writeFile(path, '')].entries()) {
      const copy = await copyAsCrashed(file, `copy ${n} – é #.db`);
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

  it('of a running service does not prevent other processes from opening the database', async (t) => {
    const { store, file } = await openSqliteFile(t);
    let writing = true;
    const written = (async () => {
      while (writing) await createMany(store);
    })();
    for (let n = 0; n < 10; n++) await (await openStore(`sqlite:${file}`)).close();
    writing = false;
    await written;
  });
});

const BATCH: NewPet[] = Array.from({ length: 1000 }, (_, i) => ({
  name: `${i} ${'🐶'.repeat(990)}`,
  categoryId: 7n,
  status: 'available',
}));

/** Longer than the time between two attempts to truncate the log. */
const FAULT_MS = 3000;

async function start(t: TestContext) {
  const path = join(await temporaryFolder(t), 'pets.db');
  const reported: string[] = [];
  const store = await openStore(`sqlite:${path}`, { report: (message) => reported.push(message) });
  t.after(() => store.close());
  const createBatch = () => Promise.all(BATCH.map((pet) => store.createPet(pet)));
  const walBytes = async () => (await stat(`${path}-wal`)).size;
  return { path, store, reported, createBatch, walBytes };
}

/** Another program reads an old state for as long as it likes, and meanwhile the log becomes large. */
async function growWal({ path, createBatch, walBytes }: Awaited<ReturnType<typeof start>>) {
  await createBatch();
  const reader = new DatabaseSync(path);
  reader.exec('BEGIN');
  reader.prepare('SELECT count(*) FROM pets').get();
  while ((await walBytes()) <= LARGE_WAL_BYTES) await createBatch();
  return reader;
}

describe('The -wal file', { timeout: 120_000 }, () => {
  it('does not grow while an export waits for its reader', async (t) => {
    const { path, createBatch, walBytes } = await start(t);
    await createBatch();
    const ofOneBatch = await walBytes();
    let animals = 0;
    await exportPets(`sqlite:${path}`, {}, async (pets) => {
      for (let batch = 0; animals === 0 && batch < 10; batch++) await createBatch();
      animals += pets.length;
    });
    assert.equal(animals, BATCH.length, 'the animals of the moment at which it began');
    assert.ok((await walBytes()) < 5 * ofOneBatch);
  });

  it('is counted, reported and explained when another program makes it grow, and shrinks when that ends, although nothing is written', async (t) => {
    const started = await start(t);
    const { path, store, reported, walBytes } = started;
    const reader = await growWal(started);
    await eventually(() => reported.length > 0, 'it is reported');
    assert.match(
      reported.join(),
      /^the write-ahead log .*pets\.db-wal has \d+ MB: .*reads the database.* end it$/,
    );
    const other = new DatabaseSync(path);
    const pages = Number(other.prepare('PRAGMA page_count').get()?.page_count);
    other.close();
    assert.ok((await store.size()) > LARGE_WAL_BYTES + pages * 4096);
    const findings = checkDisk(readConfig(['database'], {}, { DATABASE_URL: `sqlite:${path}` }));
    assert.match(findings.at(-1)?.message ?? '', /pets\.db-wal has \d/);
    reader.close();
    await eventually(async () => (await walBytes()) <= LARGE_WAL_BYTES, 'it is small');
    await eventually(() => reported.length > 1, 'that is reported');
    assert.match(reported[1] ?? '', /small again/);
    assert.equal(reported.length, 2);
  });

  it('that cannot be copied into the database file, whose disk fails, fails no write', async (t) => {
    if (!isRootWith(t, 'strace')) return;
    const started = await start(t);
    const { path, store, walBytes } = started;
    const reader = await growWal(started);
    const calls = 'pwrite64,ftruncate,fsync,fdatasync';
    const fault = await trace(t, process.pid, ['-P', path, '-e', `inject=${calls}:error=EIO`]);
    reader.close();
    // Checkpoints fail after each of these commits, and when the log is to be truncated.
    for (const end = Date.now() + FAULT_MS; Date.now() < end; ) await store.createPet(BATCH[0] as NewPet);
    assert.match((await fault.lines()).join('\n'), /INJECTED/);
    await fault.detach();
    await eventually(async () => (await walBytes()) <= LARGE_WAL_BYTES, 'it is small');
    await store.createPet(BATCH[0] as NewPet);
  });
});
