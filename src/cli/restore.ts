import { restoreStore } from '../store/backup.ts';
import { printable } from '../store/printable.ts';
import { type Command, print } from './command.ts';
import { contentOf, withCopyProgress } from './copy-progress.ts';
import { seconds } from './data-messages.ts';

export const restore: Command = {
  summary: 'Make a backup the SQLite store. Stop the service first.',
  details:
    'Verifies FILE first. Refuses a store that contains anything, and one that a service has open.\n' +
    'For PostgreSQL, the command says which command of PostgreSQL to use. See docs/operations.md.',
  positionals: ['FILE'],
  settings: ['database'],
  flags: { json: { type: 'boolean', meaning: 'print JSON, for scripts' } },
  async run({ config, flags, positionals: [file = ''] }) {
    const result = await withCopyProgress((onProgress) => restoreStore(config.database, file, onProgress));
    const { counts, bytes, ms } = result;
    const database = printable(config.database);
    if (flags.json) return print(JSON.stringify({ database, ...counts, bytes, ms }));
    print(`Restored ${contentOf(result)} to ${database} in ${seconds(ms)}.`);
    print('API keys that were revoked after the backup are valid again: see animal-store keys list.');
  },
};
