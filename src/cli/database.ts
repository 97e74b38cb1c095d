import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Config, settings, UsageError } from '../config.ts';
import { parseDatabaseUrl } from '../store/database-url.ts';
import { printable } from '../store/printable.ts';

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
