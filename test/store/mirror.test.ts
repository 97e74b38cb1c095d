import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';

const STORE = join(import.meta.dirname, '../../src/store');

/** What PostgreSQL does not need, or has in pool/: a connection, the file, the reads of a tick in one transaction, and the thread of the writer. */
const SQLITE_ONLY = [
  'connection.ts',
  'file-identity.ts',
  'reads/read-transactions.ts',
  'writer/threaded-writer.ts',
  'writer/writer-thread.ts',
];
/** The folders for the same jobs. */
const FOLDERS = ['.', 'reads', 'schema', 'tools', 'writer'];

describe('The folders sqlite/ and postgres/', () => {
  it('have a file of the same name for the same purpose', async () => {
    const filesIn = async (store: string) => {
      const names = await Promise.all(
        FOLDERS.map(async (folder) =>
          (await readdir(join(STORE, store, folder))).map((name) => join(folder, name)),
        ),
      );
      return names.flat().filter((name) => name.endsWith('.ts'));
    };
    const [sqlite, postgres] = await Promise.all([filesIn('sqlite'), filesIn('postgres')]);
    assert.ok(sqlite.length > 15, 'no source file was found');
    assert.deepEqual(sqlite.filter((file) => !postgres.includes(file)).sort(), SQLITE_ONLY);
  });
});
