import { UsageError } from '../config.ts';
import { moveStore } from '../store/move.ts';
import { type Command, print } from './command.ts';

export const move: Command = {
  summary: 'Copy everything from an SQLite file into a new PostgreSQL database.',
  positionals: [],
  settings: ['database'],
  flags: { to: { type: 'string', meaning: 'the database to fill, as postgres://user@host/db (required)' } },
  async run({ config, flags }) {
    if (typeof flags.to !== 'string') throw new UsageError('--to is needed, as --to postgres://user@host/db');
    const { pets, orders, keys, idempotencyKeys } = await moveStore(config.database, flags.to);
    print(
      `Copied ${pets} animals, ${orders} orders, ${keys} API keys and ${idempotencyKeys} idempotency keys.`,
    );
    print('Nothing was removed here. Start the service with the new DATABASE_URL.');
  },
};
