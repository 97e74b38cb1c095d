import { resolve } from 'node:path';
import { UNRESTORABLE } from '../serve/backups/backup-process.ts';
import { printable } from '../store/database-url.ts';
import { backupStore, restoreStore } from '../store/tools/backup.ts';
import { type Command, jsonFlag } from './command.ts';
import { advised, assertDatabase } from './database.ts';
import { contentOf, fileSize, note, print, seconds } from './io.ts';
import { withCopyProgress } from './progress.ts';

export const backup: Command = {
  summary: 'Write a verified backup of an SQLite store to a file, while the service runs.',
  details:
    'The file appears when it is complete, without damage and on the disk, never half of it. Restore it with animal-store restore.\n' +
    'For PostgreSQL, the command says which command of PostgreSQL to use. See docs/backups.md.',
  positionals: ['FILE'],
  settings: ['database'],
  flags: {
    overwrite: { type: 'boolean', meaning: 'replace FILE if it exists' },
    json: jsonFlag,
  },
  async run(invocation) {
    const { config, flags, io, positionals } = invocation;
    const [file = ''] = positionals;
    assertDatabase(config);
    const overwrite = flags.overwrite === true;
    const result = await withCopyProgress(io, (onVerify) =>
      backupStore(config.database, file, { overwrite, onVerify }),
    );
    const { counts, bytes, ms, problems } = result;
    for (const problem of problems) note(io, `warning: ${printable(config.database)}: ${problem}`);
    if (problems.length > 0) note(io, `warning: ${UNRESTORABLE}: run ${advised(invocation, 'doctor')}`);
    if (flags.json) return print(io, JSON.stringify({ file: resolve(file), ...counts, bytes, ms, problems }));
    print(io, `Backed up ${contentOf(result)} to ${file} (${fileSize(bytes)}) in ${seconds(ms)}.`);
  },
};

export const restore: Command = {
  summary: 'Make a backup the SQLite store. Stop the service first.',
  details:
    'Verifies FILE first. Refuses a store that contains anything, and one that a service has open.\n' +
    'For PostgreSQL, the command says which command of PostgreSQL to use. See docs/backups.md.',
  positionals: ['FILE'],
  settings: ['database'],
  flags: { json: jsonFlag },
  async run(invocation) {
    const { config, flags, io, positionals } = invocation;
    const [file = ''] = positionals;
    const result = await withCopyProgress(io, (onVerify) => restoreStore(config.database, file, onVerify));
    const { counts, bytes, ms } = result;
    const database = printable(config.database);
    if (flags.json) return print(io, JSON.stringify({ database, ...counts, bytes, ms }));
    print(io, `Restored ${contentOf(result)} to ${database} in ${seconds(ms)}.`);
    const list = advised(invocation, 'keys', 'list');
    print(io, `API keys that were revoked after the backup are valid again: look at them with ${list}`);
  },
};
