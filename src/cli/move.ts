import { UsageError } from '../config.ts';
import { databaseUrl } from '../config-values.ts';
import { RESOURCES, type Resource } from '../store/tables.ts';
import { moveStore } from '../store/tools/move.ts';
import { type Command, flagValue } from './command.ts';
import { assertDatabase } from './database.ts';
import { count, print } from './io.ts';

/** The resources that a person counts. */
const nouns: { readonly [R in Resource]?: readonly [one: string, several?: string] } = {
  pets: ['animal'],
  removedPets: ['removed animal'],
  categories: ['category', 'categories'],
  orders: ['order'],
  keys: ['API key'],
  idempotencyKeys: ['idempotency key'],
  events: ['event'],
};

export const move: Command = {
  summary: 'Copy everything into a new database: from SQLite to PostgreSQL, or back.',
  details:
    'Stop the service first, every instance of it. The copy is verified: you get all of it or nothing.\n' +
    'The old database keeps everything; one of an older version is upgraded.',
  positionals: [],
  settings: ['database'],
  flags: {
    to: {
      type: 'string',
      meaning: 'the new database, for example postgres://user@host/db or sqlite:data/new.db (required)',
    },
  },
  async run({ config, flags, io }) {
    const to = targetUrl(flags.to);
    assertDatabase(config);
    const counts = await moveStore(config.database, to);
    const parts = RESOURCES.flatMap((resource) => {
      const words = nouns[resource];
      return words ? count(counts[resource], ...words) : [];
    });
    print(io, `Copied ${new Intl.ListFormat('en-GB').format(parts)}.`);
    print(io, 'The old database still has everything. Start the service with the new DATABASE_URL.');
  },
};

function targetUrl(given: string | boolean | undefined): string {
  if (typeof given !== 'string')
    throw new UsageError('--to is required, for example --to postgres://user@host/db');
  return flagValue('to', given, databaseUrl);
}
