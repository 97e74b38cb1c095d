import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:fs';
import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createDatabase, type Server } from '../../test/support/database/postgres.ts';
import { runSql } from '../../test/support/database/sql.ts';
import { unlessInterrupted } from '../cleanup.ts';
import { createTables } from './create-tables.ts';
import { insertAnimals } from './rows.ts';

/** Our own tables, or the ones a competitor would write by hand. */
type Schema = 'ours' | 'plain';

const templates = new Map<string, Promise<string>>();
let copies = 0;

/** A new SQLite file with this many animals, copied from a template that is created on first use. */
export async function createSqliteFile(folder: string, schema: Schema, count: number): Promise<string> {
  const template = await templateFile(folder, schema, count);
  const copy = join(folder, `${schema}-${count}-${copies++}.db`);
  await copyFile(template, copy, constants.COPYFILE_FICLONE);
  return copy;
}

/** The same animals as a database file of json-server. */
export async function createJsonFile(folder: string, count: number): Promise<string> {
  const db = new DatabaseSync(await templateFile(folder, 'plain', count), { readOnly: true });
  const pets = db.prepare('SELECT id, name, category_id AS categoryId, status FROM pets ORDER BY id').all();
  db.close();
  const file = join(folder, `db-${count}.json`);
  await writeFile(file, JSON.stringify({ pets }));
  return file;
}

/** The same animals in a new PostgreSQL database. Resolves to its URL. */
export async function createPostgresDatabase(server: Server, count: number): Promise<string> {
  const url = await createDatabase(server);
  await createTables(url);
  await runSql(url, insertAnimals(`generate_series(1::bigint, ${count}) AS i`, { table: 'pets' }));
  await runSql(url, 'VACUUM ANALYZE pets');
  return url;
}

function templateFile(folder: string, schema: Schema, count: number): Promise<string> {
  const file = join(folder, `${schema}-${count}.db`);
  const existing = templates.get(file);
  if (existing) return existing;
  const created = fill(schema, file, count);
  templates.set(file, created);
  return created;
}

async function fill(schema: Schema, file: string, count: number): Promise<string> {
  await unlessInterrupted();
  const script = join(import.meta.dirname, 'fill.ts');
  const child = spawn(process.execPath, [script, schema, file, String(count)], { stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`could not create ${file}`);
  return file;
}
