import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApiError } from '../contract/errors.ts';
import { StoreError } from './store.ts';

export interface Migration {
  readonly version: number;
  readonly sql: string;
}

/** Receives a line for a person when a migration is going to take, or takes, longer than a second. */
export type OnMigration = (line: string) => void;

export const migrationLine = (database: string, step: number, steps: number): string =>
  `Updating the database ${database}, step ${step} of ${steps}. With millions of animals this takes a minute or more.`;

export interface MigrateOptions {
  /** Whether to bring a database of an older version up to date, which ends the services of that version. A new one is always created. */
  readonly upgrade?: boolean | undefined;
  readonly onMigration?: OnMigration | undefined;
}

/** For a command that would upgrade a database under the services that use it. */
export const notUpgraded = (database: string): StoreError =>
  new StoreError(
    `the database ${database} was created by an older version of this program: start the service of this version once, which upgrades it`,
  );

/** For the log of a process whose database was upgraded while it was running; follows the name of the database. */
export const UPGRADED =
  'was upgraded by a newer version of this program: this instance no longer writes. Start the new version in its place';

/** For a write of a process whose database was upgraded while it was running: the write would lack what the new version relies on. */
export const upgradedMeanwhile = (): ApiError =>
  new ApiError(
    'unavailable',
    'The database was upgraded by a newer version of this program; this instance no longer writes. Nothing was written.',
  );

/** `001-animals.sql` leads to version 1. Other files in the folder, such as those of an editor, are ignored. */
const FILE = /^(\d{3})-[a-z0-9-]+\.sql$/;

/** The migrations in `folder` that a database of this version lacks, in order. Refuses a newer database. */
export function migrationsAfter(version: number, folder: string, database: string): Migration[] {
  const files = readdirSync(folder)
    .filter((file) => FILE.test(file))
    .sort();
  for (const [i, file] of files.entries()) {
    if (Number(FILE.exec(file)?.[1]) !== i + 1)
      throw new StoreError(`migrations must be numbered 001, 002, … without a gap: ${join(folder, file)}`);
  }
  if (version > files.length) {
    throw new StoreError(
      `the database ${database} was created by a newer version of this program (schema ${version}, this one knows ${files.length}): update the program`,
    );
  }
  return files
    .map((file, i) => ({ version: i + 1, sql: readFileSync(join(folder, file), 'utf8') }))
    .slice(version);
}
