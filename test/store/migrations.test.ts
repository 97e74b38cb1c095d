import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { migrationsAfter } from '../../src/store/migrations.ts';
import { StoreError } from '../../src/store/store.ts';
import { temporaryFolder } from '../support/service/service.ts';

async function folderWith(t: TestContext, files: readonly string[]): Promise<string> {
  const folder = await temporaryFolder(t);
  for (const file of files) await writeFile(join(folder, file), `-- ${file}`);
  return folder;
}

describe('Migrations', () => {
  it('have the version of their file name, and other files are ignored', async (t) => {
    const strays = [
      '.DS_Store',
      '000-notes.md',
      '001-animals.sql~',
      '001-animals.sql.orig',
      '10-x.sql',
      'README',
    ];
    const folder = await folderWith(t, ['002-orders.sql', '001-animals.sql', '003-more.sql', ...strays]);
    assert.deepEqual(migrationsAfter(1, folder, 'pets.db'), [
      { version: 2, sql: '-- 002-orders.sql' },
      { version: 3, sql: '-- 003-more.sql' },
    ]);
    assert.deepEqual(migrationsAfter(3, folder, 'pets.db'), []);
  });

  const unusable: Record<string, [files: string[], wrong: string]> = {
    'a gap': [['001-a.sql', '003-c.sql'], '003-c.sql'],
    'a missing first number': [['002-b.sql'], '002-b.sql'],
    'a duplicate number': [['001-a.sql', '002-b.sql', '002-c.sql'], '002-c.sql'],
    'a number 000': [['000-a.sql', '001-b.sql'], '000-a.sql'],
  };
  for (const [what, [files, wrong]] of Object.entries(unusable)) {
    it(`are refused with ${what}, in one line that names the file, for any version of the database`, async (t) => {
      const folder = await folderWith(t, files);
      for (const version of [0, files.length]) {
        assert.throws(
          () => migrationsAfter(version, folder, 'pets.db'),
          (error) =>
            error instanceof StoreError &&
            error.message === `migrations must be numbered 001, 002, … without a gap: ${join(folder, wrong)}`,
        );
      }
    });
  }

  for (const store of ['sqlite', 'postgres']) {
    it(`of ${store} are numbered without a gap or a duplicate`, () => {
      const folder = join(import.meta.dirname, '../../src/store', store, 'migrations');
      assert.notEqual(migrationsAfter(0, folder, 'pets.db').length, 0);
    });
  }

  it('refuse a database that a newer version has created', async (t) => {
    const folder = await folderWith(t, ['001-animals.sql']);
    assert.throws(() => migrationsAfter(2, folder, 'pets.db'), /newer version.*schema 2, this one knows 1/);
  });
});
