import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it, type TestContext } from 'node:test';
import { Worker } from 'node:worker_threads';
import { ApiError } from '../../src/contract/errors.ts';
import type { NewPet } from '../../src/contract/pet.ts';
import { openStore } from '../../src/store/open.ts';
import { openSqliteFile } from '../support/database/sqlite-file.ts';
import { listPets } from '../support/lists.ts';
import { LONG_RUN } from '../support/service/attacked-service.ts';
import { petIn } from '../support/service/created.ts';
import { MAIN } from '../support/service/launch.ts';
import { temporaryFolder } from '../support/service/service.ts';
import { conformance, type Opened, openOn } from './conformance.ts';

const rex: NewPet = { name: 'Rex', categoryId: 7n, status: 'available' };

const ROUNDS = LONG_RUN ? 30 : 3;

const isUnavailable = (error: unknown) => error instanceof ApiError && error.code === 'unavailable';

async function openFile(t: TestContext): Promise<Opened & { readonly file: string }> {
  const file = join(await temporaryFolder(t), 'pets.db');
  return { file, ...(await openOn(t, `sqlite:${file}`)) };
}

conformance('SQLite on a file', openFile, { persistent: true, versioned: true, thorough: true });

describe('SQLite on a file', () => {
  it('replaces a writer thread that dies, and loses no animal that it acknowledged', async (t) => {
    const writers: Worker[] = [];
    const onWorker = (writer: Worker) => void writers.push(writer);
    process.on('worker', onWorker);
    t.after(() => process.off('worker', onWorker));
    const { store } = await openFile(t);
    const acknowledged: bigint[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const creates = Array.from({ length: 20 }, () => store.createPet(rex));
      const killed = writers.at(-1)?.terminate();
      for (const result of await Promise.allSettled(creates)) {
        if (result.status === 'fulfilled') acknowledged.push(petIn(result.value).id);
        else assert.ok(isUnavailable(result.reason), String(result.reason));
      }
      await killed;
      acknowledged.push(petIn(await store.createPet(rex)).id);
    }
    await writers.at(-1)?.terminate();
    acknowledged.push(petIn(await store.createPet(rex)).id);
    assert.equal(writers.length, ROUNDS + 2);
    const ids = new Set((await listPets(store, { limit: 1000 })).map(({ id }) => id));
    assert.deepEqual(
      acknowledged.filter((id) => !ids.has(id)),
      [],
    );
    assert.equal(new Set(acknowledged).size, acknowledged.length);
  });
});

it('a new SQLite file can be opened even if another process does the same at any point', async (t) => {
  const folder = await temporaryFolder(t);
  // After the first eight statements outside a transaction, all others only read.
  for (let moment = 0; moment < 8; moment++) {
    const moments = await openWhileOtherOpens(t, join(folder, `${moment}.db`), moment);
    assert.ok(moments > moment, 'the other process opened the file in between');
  }
});

/** Opens the file, and lets another process open it before statement `moment`. Returns the number of statements. */
async function openWhileOtherOpens(t: TestContext, path: string, moment: number): Promise<number> {
  let seen = 0;
  const interrupt = (db: DatabaseSync) => {
    if (db.location() === null || db.isTransaction || seen++ !== moment) return;
    const env = { PATH: process.env.PATH, DATABASE_URL: `sqlite:${path}` };
    const command = [MAIN, 'keys', 'create', '--name=a', '--create'];
    const { status, stderr } = spawnSync(process.execPath, command, { env, encoding: 'utf8' });
    assert.equal(status, 0, stderr);
  };
  const { prepare, exec } = DatabaseSync.prototype;
  const mocks = [
    t.mock.method(DatabaseSync.prototype, 'prepare', function (this: DatabaseSync, sql: string) {
      interrupt(this);
      return prepare.call(this, sql);
    }),
    t.mock.method(DatabaseSync.prototype, 'exec', function (this: DatabaseSync, sql: string) {
      interrupt(this);
      exec.call(this, sql);
    }),
  ];
  try {
    const store = await openStore(`sqlite:${path}`);
    await store.close();
  } catch (error) {
    assert.fail(`another process opened it before statement ${moment}: ${(error as Error).message}`);
  } finally {
    for (const { mock } of mocks) mock.restore();
  }
  return seen;
}

/** Adds two events and deletes the two oldest, in one transaction, as fast as it can: what another process does over months. */
const FORGET = `
  const { workerData } = require('node:worker_threads');
  const db = new (require('node:sqlite').DatabaseSync)(workerData);
  db.exec('PRAGMA synchronous = OFF; PRAGMA busy_timeout = 5000');
  const add = db.prepare("INSERT INTO events (type, at, content) VALUES ('probe', 0, '{}')");
  const remove = db.prepare('DELETE FROM events WHERE id IN (SELECT id FROM events ORDER BY id LIMIT 2)');
  for (;;) {
    db.exec('BEGIN IMMEDIATE');
    add.run(); add.run(); remove.run();
    db.exec('COMMIT');
  }`;
const KEPT = 200;
/** Enough that a reader whose position is looked up first, and its page read after that, skips events: one in some hundred. */
const READS = 20_000;

it('a reader is never led past events that are deleted while it reads: it gets the next one, or 410', async (t) => {
  const { file, store, db } = await openSqliteFile(t);
  for (let i = 0; i < KEPT; i++) db.exec("INSERT INTO events (type, at, content) VALUES ('probe', 0, '{}')");
  const oldest = db.prepare('SELECT min(id) AS id FROM events');
  const worker = new Worker(FORGET, { eval: true, workerData: file });
  t.after(() => worker.terminate());
  await once(worker, 'online');

  const seen = { next: 0, expired: 0 };
  for (let i = 0; i < READS || seen.expired === 0; i++) {
    // About to be deleted when it is read.
    const id = BigInt(oldest.get()?.id as number) + BigInt(i % 40);
    try {
      const after = { id, at: new Date(0) };
      const { events } = await store.listEvents({ limit: 2, after });
      assert.equal(events[0]?.position.id, id + 1n);
      seen.next++;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      assert.equal(error.code, 'cursor_expired');
      seen.expired++;
    }
  }
  assert.ok(seen.next > 0);
  t.diagnostic(`${seen.next} pages, ${seen.expired} times 410`);
});
