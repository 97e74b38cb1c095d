import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { it } from 'node:test';
import { openStore } from '../../src/store/open.ts';
import { damageIn } from '../../src/store/sqlite/schema/content-check.ts';
import { migrate } from '../../src/store/sqlite/schema/migrate.ts';
import { withMigrations } from '../support/database/added-migrations.ts';
import { eventually } from '../support/eventually.ts';
import { launch } from '../support/service/launch.ts';
import { temporaryFolder } from '../support/service/service.ts';

const MIGRATE = join(import.meta.dirname, '../../src/store/sqlite/schema/migrate.ts');
/** Writes so much before its end that most of it is in the write-ahead log when the process is killed. */
const LARGE = `
  CREATE TABLE large (n, filler);
  WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200000)
  INSERT INTO large SELECT i, zeroblob(500) FROM n`;

it('kill -9 in the middle of a migration leaves the previous version, and the next start completes it', async (t) => {
  const file = join(await temporaryFolder(t), 'pets.db');
  const store = await openStore(`sqlite:${file}`);
  await store.createPet({ name: 'Rex', categoryId: 7n, status: 'available' });
  await store.close();
  const { folder, newest } = await withMigrations(t, 'sqlite', LARGE);
  const script = `
    const { migrate } = await import(${JSON.stringify(MIGRATE)});
    const { DatabaseSync } = await import('node:sqlite');
    const db = new DatabaseSync(${JSON.stringify(file)});
    migrate(db, 'pets.db', { upgrade: true, folder: ${JSON.stringify(folder)} });`;
  const { child } = launch(t, [process.execPath, '--input-type=module', '--eval', script]);
  const walBytes = () => statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  await eventually(() => walBytes() > 4_000_000, 'the migration is in the middle');
  child.kill('SIGKILL');
  await eventually(() => child.signalCode === 'SIGKILL', 'the process is killed before it has ended');

  const db = new DatabaseSync(file);
  t.after(() => db.close());
  const value = (sql: string) => Object.values(db.prepare(sql).get() ?? {})[0];
  assert.equal(value('PRAGMA user_version'), newest);
  assert.equal(value("SELECT count(*) FROM sqlite_schema WHERE name = 'large'"), 0);
  migrate(db, file, { upgrade: true, folder });
  assert.equal(value('PRAGMA user_version'), newest + 1);
  assert.equal(value('SELECT count(*) FROM large'), 200_000);
  assert.equal(value('SELECT name FROM pets'), 'Rex');
  assert.deepEqual(damageIn(db, 1), []);
});
