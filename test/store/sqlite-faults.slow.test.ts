import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { copyFile, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it, type TestContext } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { ApiError } from '../../src/contract/errors.ts';
import type { NewPet } from '../../src/contract/pet.ts';
import { newestVersion } from '../../src/store/migrations.ts';
import { openStore } from '../../src/store/open.ts';
import { FOLDER } from '../../src/store/sqlite/schema/migrate.ts';
import type { Store } from '../../src/store/store.ts';
import { eventually } from '../support/eventually.ts';
import { listPets } from '../support/lists.ts';
import { petIn } from '../support/service/created.ts';
import { temporaryFolder } from '../support/service/service.ts';

const rex: NewPet = { name: 'Rex', categoryId: 7n, status: 'available' };
const PAGE = 4096;

const isUnavailable = (message: RegExp) => (error: unknown) =>
  error instanceof ApiError && error.code === 'unavailable' && message.test(error.message);

function execute(file: string, sql: string): void {
  const db = new DatabaseSync(file);
  db.exec(sql);
  db.close();
}

const newFile = async (t: TestContext) => join(await temporaryFolder(t), 'pets.db');

async function openReported(t: TestContext, file: string): Promise<{ store: Store; reports: string[] }> {
  const reports: string[] = [];
  const store = await openStore(`sqlite:${file}`, { report: (message) => reports.push(message) });
  t.after(() => store.close());
  return { store, reports };
}

/** The threads that are started from now on. */
function watchThreads(t: TestContext): Worker[] {
  const threads: Worker[] = [];
  const onWorker = (thread: Worker) => void threads.push(thread);
  process.on('worker', onWorker);
  t.after(() => process.off('worker', onWorker));
  return threads;
}

/** A store with 1,000 animals in which the page of the newest is damaged. */
async function openDamaged(t: TestContext): Promise<{ store: Store; reports: string[] }> {
  const file = await newFile(t);
  const made = await openStore(`sqlite:${file}`);
  await Promise.all(Array.from({ length: 1000 }, () => made.createPet({ ...rex, name: 'x'.repeat(100) })));
  await made.close();
  const db = new DatabaseSync(file);
  const page = Number(
    db.prepare("SELECT max(pageno) AS page FROM dbstat WHERE name = 'pets' AND pagetype = 'leaf'").get()
      ?.page,
  );
  db.close();
  const handle = await open(file, 'r+');
  await handle.write(Buffer.alloc(PAGE, 0xee), 0, PAGE, (page - 1) * PAGE);
  await handle.close();
  return openReported(t, file);
}

/** Not an ApiError: the response is 500, and the log has the whole error. */
const isDamage = (error: unknown) => !(error instanceof ApiError) && /malformed/.test(String(error));

describe('A damaged page', () => {
  it('fails the reads that need it, alone or in a batch, and no others', async (t) => {
    const { store } = await openDamaged(t);
    for (let round = 0; round < 3; round++) {
      await assert.rejects(listPets(store, { limit: 100 }), isDamage);
      const together = await Promise.allSettled([
        store.getPet(1n),
        listPets(store, { limit: 100 }),
        store.getPet(2n),
        listPets(store, { limit: 1000 }),
      ]);
      assert.deepEqual(
        together.map(({ status }) => status),
        ['fulfilled', 'rejected', 'fulfilled', 'rejected'],
      );
      assert.equal((await store.getPet(1n))?.id, 1n);
    }
  });

  it('makes the store not ready when creates need it, and is reported once, with what to do', async (t) => {
    const { store, reports } = await openDamaged(t);
    for (let round = 0; round < 2; round++) {
      await assert.rejects(store.ready(), (error) => {
        assert.ok(isUnavailable(/accepts no new animals/)(error), String(error));
        return isDamage((error as ApiError).cause);
      });
      await assert.rejects(store.createPet(rex), isDamage);
      await assert.rejects(listPets(store, { limit: 100 }), isDamage);
    }
    assert.equal(reports.length, 1);
    assert.match(reports[0] ?? '', /pets\.db cannot be read .*malformed.*doctor.*restore a backup/);
    assert.equal((await store.getPet(1n))?.id, 1n);
  });
});

/** How files can disappear while a store has them open, and how they are restored. */
const losses: Record<
  string,
  { lose: (file: string) => Promise<void>; restore: (file: string) => Promise<void> }
> = {
  deleted: {
    lose: (file) => rename(file, `${file}.away`),
    restore: (file) => rename(`${file}.away`, file),
  },
  replaced: {
    lose: async (file) => {
      await rename(file, `${file}.away`);
      await copyFile(`${file}.away`, file);
    },
    restore: (file) => rename(`${file}.away`, file),
  },
  'separated from its -wal file': {
    lose: (file) => rename(`${file}-wal`, `${file}-wal.away`),
    restore: (file) => rename(`${file}-wal.away`, `${file}-wal`),
  },
};

describe('A database file', () => {
  for (const [problem, { lose, restore }] of Object.entries(losses)) {
    it(`that is ${problem} while in use rejects writes until it is restored`, async (t) => {
      const file = await newFile(t);
      const { store, reports } = await openReported(t, file);
      const pet = petIn(await store.createPet(rex));
      await lose(file);
      const acknowledged = [pet];
      const isRefused = () =>
        store.createPet(rex).then(
          (created) => acknowledged.push(petIn(created)) === 0,
          () => reports.length === 1,
        );
      await eventually(isRefused, 'writes are refused, and the loss is reported', 10_000);
      assert.match(reports[0] ?? '', new RegExp(`pets\\.db was ${problem} while in use: writes are refused`));
      const refused = isUnavailable(new RegExp(`was ${problem} while in use; nothing was written`));
      await assert.rejects(store.createPet(rex), refused);
      await assert.rejects(store.ready(), refused);
      assert.deepEqual(await store.getPet(pet.id), pet);

      await restore(file);
      await eventually(() => reports.length === 2, 'the recovery is reported', 10_000);
      await store.ready();
      const next = petIn(await store.createPet(rex));
      await store.close();
      const again = await openStore(`sqlite:${file}`);
      assert.deepEqual(await listPets(again, { limit: 100_000 }), [next, ...acknowledged.toReversed()]);
      await again.close();
    });
  }

  it('that a newer version has upgraded is written by no process of this one', async (t) => {
    const file = await newFile(t);
    const threads = watchThreads(t);
    const { store, reports } = await openReported(t, file);
    const pet = petIn(await store.createPet(rex));
    const version = newestVersion(FOLDER);
    const upgraded = isUnavailable(
      /was upgraded by a newer version of this program; this instance no longer/,
    );
    execute(file, `PRAGMA user_version = ${version + 2}`);
    await assert.rejects(store.createPet(rex), upgraded, 'at once, before the file is looked at again');
    await eventually(() => reports.length === 1, 'the upgrade is reported', 10_000);
    assert.match(
      reports[0] ?? '',
      /pets\.db was upgraded by a newer version of this program: this instance no/,
    );
    await assert.rejects(store.createPet(rex), upgraded);
    await assert.rejects(store.ready(), upgraded);
    assert.deepEqual(await store.getPet(pet.id), pet);
    assert.equal(reports.length, 1);
    execute(file, `PRAGMA user_version = ${version}`);
    await eventually(() => reports.length === 2, 'the way back is reported', 10_000);
    await store.createPet(rex);
    execute(file, `PRAGMA user_version = ${version + 2}; ALTER TABLE write_probe RENAME TO elsewhere`);
    await threads[0]?.terminate();
    await assert.rejects(store.createPet(rex), upgraded, 'a new thread does not write, either');
  });

  it('that was replaced by another file is not written by a new writer thread, either', async (t) => {
    const file = await newFile(t);
    const threads = watchThreads(t);
    const { store } = await openReported(t, file);
    await store.createPet(rex);
    await rm(file);
    await (await openStore(`sqlite:${await newFile(t)}`)).close();
    await threads[0]?.terminate();
    await assert.rejects(store.createPet(rex), isUnavailable(/deleted while in use/));
    assert.equal(existsSync(file), false, 'no file was created');
  });
});

describe('A writer thread', () => {
  it('that cannot open the database says why, not that the outcome is unknown, and opens it later', async (t) => {
    const file = await newFile(t);
    const threads = watchThreads(t);
    const { store } = await openReported(t, file);
    await store.createPet(rex);
    await threads[0]?.terminate();
    execute(file, 'ALTER TABLE write_probe RENAME TO elsewhere');
    await assert.rejects(store.createPet(rex), /^Error: no such table: write_probe$/);
    await assert.rejects(openStore(`sqlite:${file}`), /: no such table: write_probe$/);
    assert.equal(threads.at(-1)?.threadId, -1, 'no thread is left that would keep a process from exiting');
    execute(file, 'ALTER TABLE elsewhere RENAME TO write_probe');
    assert.equal(petIn(await store.createPet(rex)).id, 2n);
  });
});

/** What makes every create fail while the file can be written, and what ends it. */
const obstacles: Record<string, { begin: string; end: string; problem: RegExp }> = {
  'a renamed table': {
    begin: 'ALTER TABLE pets RENAME TO cats',
    end: 'ALTER TABLE cats RENAME TO pets',
    problem: /no such table: pets/,
  },
  'a trigger that refuses animals': {
    begin: "CREATE TRIGGER refuse BEFORE INSERT ON pets BEGIN SELECT RAISE(ABORT, 'refused'); END",
    end: 'DROP TRIGGER refuse',
    problem: /refused/,
  },
  'a trigger that refuses idempotency keys': {
    begin:
      "CREATE TRIGGER refuse BEFORE INSERT ON idempotency_keys BEGIN SELECT RAISE(ABORT, 'refused'); END",
    end: 'DROP TRIGGER refuse',
    problem: /refused/,
  },
  'a trigger that refuses orders': {
    begin: "CREATE TRIGGER refuse BEFORE INSERT ON orders BEGIN SELECT RAISE(ABORT, 'refused'); END",
    end: 'DROP TRIGGER refuse',
    problem: /refused/,
  },
};

describe('A store', () => {
  for (const [obstacle, { begin, end, problem }] of Object.entries(obstacles)) {
    it(`is not ready while ${obstacle} makes creates fail, and is ready again afterwards`, async (t) => {
      const file = await newFile(t);
      const { store } = await openReported(t, file);
      const create = async (key: string) => {
        const idempotencyKey = { owner: 'till', key, fingerprint: 'f' };
        const pet = petIn(await store.createPet(rex, { idempotencyKey }));
        await store.createOrder({ petId: pet.id });
        return pet;
      };
      await create('first');
      execute(file, begin);
      await assert.rejects(create('second'), problem);
      await assert.rejects(store.ready(), isUnavailable(/./));
      execute(file, end);
      await store.ready();
      assert.equal((await create('second')).id, 2n, 'a probe takes no id');
      assert.deepEqual(await store.countPets(), { available: 0n, pending: 2n, sold: 0n });
    });
  }
});
