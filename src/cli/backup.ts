import { resolve } from 'node:path';
import { backupStore } from '../store/backup.ts';
import { type Command, print } from './command.ts';
import { contentOf, fileSize, withCopyProgress } from './copy-progress.ts';
import { seconds } from './data-messages.ts';
import { assertDatabase } from './database.ts';

export const backup: Command = {
  summary: 'Write a verified backup of an SQLite store to a file, while the service runs.',
  details:
    'The file appears when it is complete, verified and on the disk, never half of it. Restore it with animal-store restore.\n' +
    'For PostgreSQL, the command says which command of PostgreSQL to use. See docs/operations.md.',
  positionals: ['FILE'],
  settings: ['database'],
  flags: {
    overwrite: { type: 'boolean', meaning: 'replace FILE if it exists' },
    json: { type: 'boolean', meaning: 'print JSON, for scripts' },
  },
  async run({ config, flags, positionals: [file = ''] }) {
    assertDatabase(config);
    const overwrite = flags.overwrite === true;
    const result = await withCopyProgress((onProgress) =>
      backupStore(config.database, file, { overwrite, onProgress }),
    );
    const { counts, bytes, ms } = result;
    if (flags.json) return print(JSON.stringify({ file: resolve(file), ...counts, bytes, ms }));
    print(`Backed up ${contentOf(result)} to ${file} (${fileSize(bytes)}) in ${seconds(ms)}.`);
  },
};
