import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { copyFile, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { LONG_RUN } from '../support/attacked-service.ts';
import { assertConsistent } from '../support/consistency.ts';
import { KEY, temporaryFolder } from '../support/service.ts';
import { type SpawnedCommand, spawnCommand } from '../support/spawn.ts';

const MIGRATIONS = join(import.meta.dirname, '../../src/store/sqlite/migrations');
const APPLICATION_ID = 0x414e5354;
/** The version before the migration that changes every animal. */
const OLD_VERSION = 3;
const PETS = LONG_RUN ? 60_000 : 40_000;
/** How much of the migration is on disk when the process is killed. */
const FRACTIONS = LONG_RUN ? Array.from({ length: 19 }, (_, n) => (n + 1) / 20) : [0.3];

/** A database as the version before would have left it. */
async function createOld(file: string): Promise<void> {
  const db = new DatabaseSync(file);
  db.exec('PRAGMA journal_mode = WAL');
  const files = (await readdir(MIGRATIONS)).sort().slice(0, OLD_VERSION);
  for (const name of files) db.exec(await readFile(join(MIGRATIONS, name), 'utf8'));
  db.exec(`PRAGMA user_version = ${OLD_VERSION}; PRAGMA application_id = ${APPLICATION_ID}; BEGIN`);
  const insert = db.prepare('INSERT INTO pets (name, category_id, status) VALUES (?, ?, ?)');
  for (let n = 0; n < PETS; n++) insert.run(`Animal ${n} ${'x'.repeat(60)}`, n, 'available');
  db.exec(
    `UPDATE inventory SET pets = (SELECT count(*) FROM pets WHERE pets.status = inventory.status); COMMIT`,
  );
  db.close();
}

function walBytes(file: string): number {
  return statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}

function stateOf(file: string): { version: number; pets: number; hasKeys: boolean } {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    const value = (sql: string) => Number(Object.values(db.prepare(sql).get() ?? {})[0]);
    const columns =
      "SELECT count(*) FROM pragma_table_info('pets') WHERE name IN ('name_key', 'folded_name')";
    const hasKeys = value(columns) === 1;
    return { version: value('PRAGMA user_version'), pets: value('SELECT count(*) FROM pets'), hasKeys };
  } finally {
    db.close();
  }
}

it('kill -9 in the middle of a migration leaves the previous version, and the next start completes it', {
  timeout: 600_000,
}, async (t) => {
  const folder = await temporaryFolder(t);
  const old = join(folder, 'old.db');
  await createOld(old);
  /** Starts the service, which migrates the database before it listens. */
  const migrate = (file: string) =>
    spawnCommand(t, ['serve'], { DATABASE_URL: `sqlite:${file}`, PORT: '0', API_KEYS: KEY });
  const stop = async ({ child, exited, output }: SpawnedCommand) => {
    while (!output.stderr.includes(' listens on ')) await Promise.race([sleep(1), exited]);
    child.kill('SIGTERM');
    assert.equal(await exited, 0, output.stderr);
  };

  // Once to its end, to know how much it writes.
  const whole = join(folder, 'whole.db');
  await copyFile(old, whole);
  const first = migrate(whole);
  let largest = 0;
  while (!first.output.stderr.includes(' listens on ')) {
    largest = Math.max(largest, walBytes(whole));
    await sleep(1);
  }
  await stop(first);
  const migrated = stateOf(whole);
  assert.deepEqual(migrated, { version: migrated.version, pets: PETS, hasKeys: true });
  assert.ok(migrated.version > OLD_VERSION);

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
    const state = stateOf(file);
    assert.equal(state.pets, PETS);
    // All of the migration or nothing of it.
    assert.equal(state.hasKeys, state.version > OLD_VERSION, JSON.stringify(state));
    if (!state.hasKeys) interrupted++;
    await stop(migrate(file));
    assert.deepEqual(stateOf(file), migrated);
    assertConsistent(file, { feed: false });
  }
  t.diagnostic(
    `${FRACTIONS.length} kills, ${interrupted} of them before the commit; ${largest} bytes written by the whole`,
  );
  assert.ok(interrupted > 0, 'a migration was interrupted');
});
