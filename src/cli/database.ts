import { statSync } from 'node:fs';
import { type Config, settings, UsageError } from '../config.ts';
import { parseDatabaseUrl, parseSharedUrl, printable, withoutPassword } from '../store/database-url.ts';
import { openStore } from '../store/open.ts';
import { shellWord } from '../store/shell-word.ts';
import type { Store } from '../store/store.ts';
import type { Invocation } from './command.ts';
import { print } from './io.ts';
import { stateOf } from './key-state.ts';

export const createFlag = {
  type: 'boolean',
  meaning: 'create the SQLite file if it does not exist',
} as const;

/**
 * Refuses a database that this command cannot use. A file is created only with `create`: in the wrong directory it would hold
 * data that no service knows. `create` is undefined for a command that never creates one.
 */
export function assertDatabase(config: Config, create?: boolean): void {
  const database = parseSharedUrl(config.database);
  if (database.kind === 'sqlite' && !create && !statSync(database.path, { throwIfNoEntry: false })) {
    const hint = create === undefined ? '' : ', or add --create to create it';
    throw new UsageError(
      `there is no database ${printable(config.database)}: name the one of the service with --database${hint}`,
    );
  }
}

/** Opens the store for `work`. Does not upgrade one of an older version, whose service may be running. */
export async function withStore<T>(
  { config }: Pick<Invocation, 'config'>,
  work: (store: Store) => Promise<T>,
  create?: boolean,
): Promise<T> {
  assertDatabase(config, create);
  const options = { create: create === true, mustExist: create === undefined, isCommand: true };
  const store = await openStore(config.database, options);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** What a command is about: its database, and how that was given. */
export type Given = Pick<Invocation, 'config' | 'flags'>;

/**
 * A command on the same database, quoted for the shell. The default database needs no `--database`. No password is shown: a PostgreSQL URL from
 * DATABASE_URL is given as that variable, which is refused where it is not set, and one from the flag without its password, with a shell comment
 * that says so.
 */
export function advised({ config: { database }, flags }: Given, ...words: string[]): string {
  const command = ['animal-store', ...words].map(shellWord).join(' ');
  if (flags.database === undefined && database === settings.database.fallback) return command;
  if (parseDatabaseUrl(database).kind !== 'postgres')
    return `${command} --database ${shellWord(printable(database))}`;
  if (flags.database === undefined) return `${command} --database "$DATABASE_URL"`;
  const name = withoutPassword(database);
  return `${command} --database ${shellWord(name)}${name === database ? '' : ' # with the password in PGPASSWORD'}`;
}

export const createKeyCommand = (given: Given): string =>
  advised(given, 'keys', 'create', '--name', 'office');

/**
 * The first start of the service creates a key only in a store without animals. A store that cannot be read now, for example
 * because it is locked, is no error: the caller has added animals, and must not be run again. With API_KEYS, clients have a key.
 */
export async function hintAboutKeys(invocation: Invocation): Promise<void> {
  if (invocation.io.env.API_KEYS) return;
  const keys = await withStore(invocation, (store) => store.listKeys()).catch(() => undefined);
  if (!keys || keys.some((key) => stateOf(key) === 'active')) return;
  const lacks = keys.length === 0 ? 'no API key yet' : 'no valid API key';
  print(invocation.io, `The store has ${lacks}. Create one: ${createKeyCommand(invocation)}`);
}
