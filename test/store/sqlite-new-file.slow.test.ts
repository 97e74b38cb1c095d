import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { it, type TestContext } from 'node:test';
import { openStore } from '../../src/store/open.ts';
import { MAIN } from '../support/service/launch.ts';
import { temporaryFolder } from '../support/service/service.ts';

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
    if (db.isTransaction || seen++ !== moment) return;
    const env = { PATH: process.env.PATH, DATABASE_URL: `sqlite:${path}` };
    const { status, stderr } = spawnSync(process.execPath, [MAIN, 'keys', 'list'], { env, encoding: 'utf8' });
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
