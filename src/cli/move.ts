import { UsageError } from '../config.ts';
import { databaseUrl } from '../config-values.ts';
import { moveStore } from '../store/move.ts';
import { type Command, print } from './command.ts';

export const move: Command = {
  summary: 'Copy everything from an SQLite file into a new PostgreSQL database.',
  details: 'Stop the service that uses the SQLite file first. The file is not changed.',
  positionals: [],
  settings: ['database'],
  flags: {
    to: { type: 'string', meaning: 'the new database, for example postgres://user@host/db (required)' },
  },
  async run({ config, flags }) {
    const { pets, orders, keys, idempotencyKeys } = await moveStore(config.database, targetUrl(flags.to));
    const rest = `${count(keys, 'API key')} and ${count(idempotencyKeys, 'idempotency key')}`;
    print(`Copied ${count(pets, 'animal')}, ${count(orders, 'order')}, ${rest}.`);
    print('The SQLite file is unchanged. Start the service with the new DATABASE_URL.');
  },
};

function targetUrl(given: string | boolean | undefined): string {
  if (typeof given !== 'string')
    throw new UsageError('--to is required, for example --to postgres://user@host/db');
  try {
    return databaseUrl(given);
  } catch (error) {
    throw new UsageError(`--to ${(error as Error).message}`, { cause: error });
  }
}

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;
