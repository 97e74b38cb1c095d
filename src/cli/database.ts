import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Config, type Flags, settings, UsageError } from '../config.ts';
import { parseDatabaseUrl, printable } from '../store/database-url.ts';
import { openStore } from '../store/open.ts';
import { type Store, StoreError } from '../store/store.ts';
import type { Invocation } from './command.ts';
import { asTyped, type Io, print, shellWord } from './io.ts';

export const createFlag = {
  type: 'boolean',
  meaning: 'create the SQLite file if it does not exist',
} as const;

/** Whether the database is the default one, which the service creates on its first start, and its folder exists. */
export function isNewDefault({ database }: Config): boolean {
  const parsed = parseDatabaseUrl(database);
  return (
    database === settings.database.fallback && parsed.kind === 'sqlite' && existsSync(dirname(parsed.path))
  );
}

/**
 * Refuses a database that this command cannot use. A file is created only with `create`: in the wrong directory it would hold
 * data that no service knows. `create` is undefined for a command that never creates one.
 */
export function assertDatabase(config: Config, create?: boolean): void {
  const database = parseDatabaseUrl(config.database);
  if (database.kind === 'memory')
    throw new UsageError('a database in memory can only be used by the service itself');
  if (database.kind === 'sqlite' && !create && !existsSync(database.path)) {
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
  const store = await openStore(config.database, { create: create === true, isCommand: true });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** The error, about `--database` if that is how the URL was given: a store calls it DATABASE_URL. */
export function namedAsGiven(error: unknown, { database }: Flags): unknown {
  return database === undefined ? error : namedAs(`--${settings.database.flag}`, error);
}

/** The error of a store, about the flag that has its URL. */
export function namedAs(flag: string, error: unknown): unknown {
  if (error instanceof StoreError) error.message = error.message.replaceAll(settings.database.env, flag);
  return error;
}

/** The command that creates a key in this database, as it has to be typed. A URL of PostgreSQL may contain a password and is left out. */
export function createKeyCommand(io: Io, { database }: Pick<Config, 'database'>): string {
  const isNamed = parseDatabaseUrl(database).kind === 'sqlite' && database !== settings.database.fallback;
  const flag = isNamed ? ` --database ${shellWord(printable(database))}` : '';
  return `${asTyped(io, 'animal-store keys create --name "till 3"')}${flag}`;
}

/**
 * The first start of the service creates a key only in a store without animals. A store that cannot be read now, for example
 * because it is locked, is no error: the caller has added animals, and must not be run again.
 */
export async function hintAboutKeys(io: Io, config: Config): Promise<void> {
  const keys = await withStore({ config }, (store) => store.listKeys()).catch(() => undefined);
  if (keys?.length === 0)
    print(io, `The store has no API key yet. Create one: ${createKeyCommand(io, config)}`);
}
