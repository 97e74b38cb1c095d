import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { StoreError } from './store.ts';

export interface Migration {
  readonly version: number;
  readonly sql: string;
}

/** The files of `folder` that a database of this version has not seen, in their order. Refuses a newer database. */
export function migrationsAfter(version: number, folder: string, database: string): Migration[] {
  const files = readdirSync(folder).sort();
  if (version > files.length) {
    throw new StoreError(
      `the database ${database} was made by a newer version of this program (schema ${version}, this one knows ${files.length}): update the program`,
    );
  }
  return files
    .map((file, index) => ({ version: index + 1, sql: readFileSync(join(folder, file), 'utf8') }))
    .slice(version);
}
