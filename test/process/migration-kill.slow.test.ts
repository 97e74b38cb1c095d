import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { nameKey } from '../../src/contract/name-key.ts';
import { inspectStore } from '../../src/store/tools/inspect.ts';
import { assertConsistent } from '../support/database/consistency.ts';
import { olderFile } from '../support/database/older-file.ts';
import { LONG_RUN } from '../support/service/attacked-service.ts';
import { KEY, temporaryFolder } from '../support/service/service.ts';
import { type SpawnedCommand, spawnCommand } from '../support/service/spawn.ts';

const PETS = LONG_RUN ? 60_000 : 40_000;
/** How much of the migration is on disk when the process is killed. */
const FRACTIONS = LONG_RUN ? Array.from({ length: 19 }, (_, n) => (n + 1) / 20) : [0.3, 0.7];
/** The versions before the migrations that change every animal. */
const OLD_VERSIONS = [3, 11];

/** A database as that version would have left it; each other name has an accent. */
function createOld(file: string, version: number): void {
  olderFile(file, version, (db) => {
    db.exec('BEGIN');
    const insert = db.prepare(
      version < 4
        ? 'INSERT INTO pets (name, category_id, status) VALUES (?, ?, ?)'
        : 'INSERT INTO pets (name, category_id, status, folded_name) VALUES (?, ?, ?, ?)',
    );
    for (let n = 0; n < PETS; n++) {
      const name = `${n % 2 ? 'Björn' : 'Animal'} ${n} ${'x'.repeat(60)}`;
      insert.run(name, n, 'available', ...(version < 4 ? [] : [nameKey(name)]));
    }
    db.exec('COMMIT');
  });
}

function walBytes(file: string): number {
  return statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}

function stateOf(file: string) {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    const value = (sql: string) => Number(Object.values(db.prepare(sql).get() ?? {})[0]);
    return { version: value('PRAGMA user_version'), pets: value('SELECT count(*) FROM pets') };
  } finally {
    db.close();
  }
}

/** Throws if it has ended. */
function isListening({ child, output }: SpawnedCommand): boolean {
  assert.equal(child.exitCode, null, output.stderr);
  return output.stderr.includes(' listens on ');
}

/** Asserts that the file is one of its version as a whole: that nothing of another migration is in it. */
async function assertWhole(file: string): Promise<void> {
  const { damage, schemaProblems } = await inspectStore(`sqlite:${file}`);
  assert.deepEqual({ damage, schemaProblems }, { damage: [], schemaProblems: [] });
}

function assertFolded(file: string): void {
  const db = new DatabaseSync(file, { readOnly: true });
  const { found } =
    db.prepare("SELECT count(*) AS found FROM pets WHERE folded_name GLOB 'BJORN *'").get() ?? {};
  db.close();
  assert.equal(found, PETS / 2);
}

for (const oldVersion of OLD_VERSIONS)
  it(`kill -9 in the middle of a migration of version ${oldVersion} leaves a previous version, and the next start completes it`, {
    timeout: 600_000,
  }, async (t) => {
    const folder = await temporaryFolder(t);
    const old = join(folder, 'old.db');
    createOld(old, oldVersion);
    /** Starts the service, which migrates the database before it listens. */
    const migrate = (file: string) =>
      spawnCommand(t, ['serve'], { DATABASE_URL: `sqlite:${file}`, PORT: '0', API_KEYS: KEY });
    const stop = async (command: SpawnedCommand) => {
      while (!isListening(command)) await sleep(1);
      command.child.kill('SIGTERM');
      assert.equal(await command.exited, 0, command.output.stderr);
    };

    // Once to its end, to know how much it writes.
    const whole = join(folder, 'whole.db');
    await copyFile(old, whole);
    const first = migrate(whole);
    let largest = 0;
    while (!isListening(first)) {
      largest = Math.max(largest, walBytes(whole));
      await sleep(1);
    }
    await stop(first);
    const migrated = stateOf(whole);
    assert.deepEqual(migrated, { version: migrated.version, pets: PETS });
    assert.ok(migrated.version > oldVersion);

    let interrupted = 0;
    for (const [n, fraction] of FRACTIONS.entries()) {
      const file = join(folder, `${n}.db`);
      await copyFile(old, file);
      const command = migrate(file);
      let ended = false;
      void command.exited.then(() => (ended = true));
      while (!ended && walBytes(file) < fraction * largest) await sleep(1);
      command.child.kill('SIGKILL');
      await command.exited;
      const { version, pets } = stateOf(file);
      assert.equal(pets, PETS);
      await assertWhole(file);
      if (version < migrated.version) interrupted++;
      await stop(migrate(file));
      assert.deepEqual(stateOf(file), migrated);
      await assertWhole(file);
      assertFolded(file);
      assertConsistent(file, { feed: false });
    }
    t.diagnostic(
      `${FRACTIONS.length} kills, ${interrupted} of them before the commit; ${largest} bytes written by the whole`,
    );
    assert.ok(interrupted > 0, 'a migration was interrupted');
  });
