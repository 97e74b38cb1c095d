import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it, type TestContext } from 'node:test';
import { openStore } from '../../src/store/open.ts';
import { createCluster, createDatabase } from '../support/database/postgres.ts';
import { connect } from '../support/database/sql.ts';
import { animalStore } from '../support/service/process.ts';
import { temporaryFolder } from '../support/service/service.ts';

const server = await createCluster();
await server.start();

interface OlderStore {
  readonly url: string;
  /** Everything in it. */
  content(): Promise<unknown>;
}

async function sqlite(t: TestContext): Promise<OlderStore> {
  const file = join(await temporaryFolder(t), 'pets.db');
  await (await openStore(`sqlite:${file}`)).close();
  const db = new DatabaseSync(file);
  db.exec('PRAGMA user_version = 11');
  db.close();
  return { url: `sqlite:${file}`, content: () => readFile(file) };
}

async function postgresql(t: TestContext): Promise<OlderStore> {
  const url = await createDatabase(server);
  await (await openStore(url)).close();
  const sql = connect(t, url);
  await sql`DELETE FROM migrations`;
  await sql`INSERT INTO migrations VALUES (16)`;
  const content = async () => [
    await sql`SELECT version, xmin::text FROM migrations`,
    await sql`SELECT oid, relname, xmin::text FROM pg_class WHERE relnamespace = 'animal_store'::regnamespace ORDER BY oid`,
  ];
  return { url, content };
}

describe('A store from before the baseline is refused by every command, which says what to do and leaves it as it was', () => {
  for (const [name, create] of Object.entries({ SQLite: sqlite, PostgreSQL: postgresql }))
    it(name, async (t) => {
      const { url, content } = await create(t);
      const folder = await temporaryFolder(t);
      const other = `sqlite:${join(folder, 'other.db')}`;
      const before = await content();
      const commands = [['serve', '--port', '0'], ['keys', 'list'], ['doctor'], ['move', '--to', other]];
      if (name === 'SQLite') {
        const file = url.slice('sqlite:'.length);
        commands.push(
          ['export'],
          ['backup', join(folder, 'copy.db')],
          ['restore', file, '--database', other],
        );
      }
      for (const command of commands) {
        const { code, stdout, stderr } = await animalStore(command, { DATABASE_URL: url });
        assert.notEqual(code, 0, command.join(' '));
        const line =
          /the database \S+ was created before version 1\.0\.0 of this program: start commit a85257a on it once, which upgrades it, then this version\n/;
        assert.match(command[0] === 'doctor' ? stdout : stderr, line, command.join(' '));
        assert.deepEqual(await content(), before, command.join(' '));
      }
      await assert.rejects(openStore(other, { create: false }), /there is no database/);
    });
});
