import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { readRecord, writeRecord } from '../../src/serve/backups/backup-record.ts';
import { temporaryFolder } from '../support/service/service.ts';

const RECORD = join(import.meta.dirname, '../../src/serve/backups/backup-record.ts');

it('A record of backups that cannot be written whole leaves the previous one, and no other file', async (t) => {
  const folder = await temporaryFolder(t);
  const previous = { database: '/pets.db', files: ['pets-20261116T120000Z.db'] };
  writeRecord(folder, previous);
  const files = Array.from({ length: 200 }, (_, i) => `pets-${i}.db`);
  const program = `const { writeRecord } = await import(process.argv[1]);
    writeRecord(process.argv[2], { database: '/pets.db', files: ${JSON.stringify(files)} });`;
  // The system takes the first kilobyte at most, as a disk does that becomes full.
  const limited = ['-c', 'ulimit -f 1 && exec "$@"', 'sh', process.execPath];
  const { status, stderr } = spawnSync(
    'sh',
    [...limited, '--input-type=module', '-e', program, RECORD, folder],
    {
      encoding: 'utf8',
    },
  );
  assert.equal(status, 1, stderr);
  assert.match(stderr, /EFBIG/);
  assert.deepEqual(readRecord(folder), previous);
  assert.deepEqual(await readdir(folder), ['animal-store-backups.json']);
});
