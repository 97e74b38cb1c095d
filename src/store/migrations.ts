import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApiError } from '../contract/errors.ts';
import { StoreError } from './store.ts';

export interface Migration {
  readonly version: number;
  readonly sql: string;
}

export const migrationLine = (database: string, step: number, steps: number): string =>
  `Updating the database ${database}, step ${step} of ${steps}. With millions of animals this takes a minute or more.`;

export interface MigrateOptions {
  /** Whether to upgrade a database of an older version, whose services keep running. A new database is always created. */
  readonly upgrade?: boolean | undefined;
  /** By how many versions the schema may be newer: `VERSIONS_AHEAD` unless given. A caller that copies only the columns that it knows needs 0. */
  readonly ahead?: number;
  /** Whether to refuse a database without a store, which is created otherwise. */
  readonly mustExist?: boolean | undefined;
  /** Receives a line for a person when a migration is going to take, or takes, longer than a second. */
  readonly onMigration?: ((line: string) => void) | undefined;
  /** The folder of the migrations, if it is not the program's own. */
  readonly folder?: string | undefined;
}

/** For a command that needs a store. */
export const noStoreIn = (database: string): StoreError =>
  new StoreError(
    `the database ${database} has no store yet: start the service once, or name its database with --database`,
  );

/** For a command that would upgrade a database under the services that use it. */
export const notUpgraded = (database: string): StoreError =>
  new StoreError(
    `the database ${database} was created by an older version of this program: start the service of this version once, which upgrades it`,
  );

/** For the log of a process whose database was upgraded while it was running; follows the name of the database. */
export const UPGRADED =
  'was upgraded by a newer version of this program: this instance no longer writes. Start the new version in its place';

/** For a write of a process whose database was upgraded while it was running: the write would lack what the new version relies on. */
export class UpgradedMeanwhile extends ApiError {
  constructor() {
    super(
      'unavailable',
      'The database was upgraded by a newer version of this program; this instance no longer writes. Nothing was written.',
    );
  }
}

/** `014-baseline.sql` leads to version 14. Other files in the folder, such as those of an editor, are ignored. */
const FILE = /^(\d{3})-[a-z0-9-]+\.sql$/;

/** All migrations in `folder`, in order. The first is the baseline: it creates a whole schema, and there is none before it. */
function migrationsIn(folder: string): Migration[] {
  const migrations: Migration[] = [];
  for (const file of readdirSync(folder).sort()) {
    const version = Number(FILE.exec(file)?.[1]);
    if (Number.isNaN(version)) continue;
    if (version <= (migrations.at(-1)?.version ?? 0))
      throw new StoreError(`each migration must have a number of its own, from 001: ${join(folder, file)}`);
    migrations.push({ version, sql: readFileSync(join(folder, file), 'utf8') });
  }
  return migrations;
}

/** The version of the schema that the migrations in `folder` lead to. */
export const newestVersion = (folder: string): number => migrationsIn(folder).at(-1)?.version ?? 0;

/**
 * A program accepts a schema that is newer than its own by this many versions, so that it runs beside the version after it during an upgrade. A
 * release therefore has at most one migration, which has the next number and leaves the version before it working. If that version would lose
 * something, such as a column that it would not keep when it removes and restores an animal, one number is left out: then it refuses to write.
 */
export const VERSIONS_AHEAD = 1;

/** The migrations in `folder` that a database of this version lacks, in order. Refuses a newer database, and one from before the baseline. */
export function migrationsAfter(version: number, folder: string, database: string, ahead = VERSIONS_AHEAD) {
  const migrations = migrationsIn(folder);
  const newest = migrations.at(-1)?.version ?? 0;
  if (version > newest + ahead) {
    throw new StoreError(
      `the database ${database} was created by a newer version of this program (schema ${version}, this one knows ${newest}): update the program`,
    );
  }
  assertSinceBaseline(version, folder, database);
  return migrations.filter((migration) => migration.version > version);
}

/** Refuses a database from before the baseline, for which there are no migrations. */
export function assertSinceBaseline(version: number, folder: string, database: string): void {
  if (version === 0 || version >= Number(migrationsIn(folder)[0]?.version)) return;
  throw new StoreError(
    `the database ${database} was made by a development version before 1.0.0: start commit a725038 on it once, then this version`,
  );
}
