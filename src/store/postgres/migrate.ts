import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { StoreError } from '../store.ts';
import type { Pool } from './connection.ts';

const FOLDER = join(import.meta.dirname, 'migrations');
/** "ANST": who holds this lock migrates, and the others wait. */
const LOCK = 0x414e5354;

/**
 * Brings the schema up to date: the files of `migrations/` in their order, all in one transaction, once, however many
 * instances start together. Everything of ours is in the schema `animal_store`. Refuses a database that is newer.
 */
export async function migrate(sql: Pool): Promise<void> {
  const files = readdirSync(FOLDER).sort();
  await sql.begin(async (tx) => {
    await tx`SELECT pg_advisory_xact_lock(${LOCK})`;
    await tx`CREATE SCHEMA IF NOT EXISTS animal_store`;
    await tx`CREATE TABLE IF NOT EXISTS animal_store.migrations (version integer PRIMARY KEY)`;
    const [{ version } = { version: 0 }] = await tx<{ version: number }[]>`
      SELECT coalesce(max(version), 0) AS version FROM animal_store.migrations`;
    if (version > files.length) {
      throw new StoreError(
        `the database was made by a newer version of this program (schema ${version}, this one knows ${files.length}): update the program`,
      );
    }
    for (const [index, file] of files.entries()) {
      if (index < version) continue;
      await tx.unsafe(readFileSync(join(FOLDER, file), 'utf8'));
      await tx`INSERT INTO animal_store.migrations (version) VALUES (${index + 1})`;
    }
  });
}
