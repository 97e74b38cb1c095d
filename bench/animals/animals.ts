import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:fs';
import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import postgres from 'postgres';
import { openStore } from '../../src/store/open.ts';
import { createDatabase, type Server } from '../../test/support/postgres.ts';
import { unlessInterrupted } from '../endings.ts';
import { insertAnimals } from './rows.ts';

type Schema = 'ours' | 'plain';

const made = new Map<string, Promise<string>>();
let copies = 0;

/** A database of so many animals that nobody ever changes; made when it is first asked for. */
export function originalOf(folder: string, schema: Schema, count: number): Promise<string> {
  const file = join(folder, `${schema}-${count}.db`);
  const known = made.get(file);
  if (known) return known;
  const making = fill(schema, file, count);
  made.set(file, making);
  return making;
}

async function fill(schema: Schema, file: string, count: number): Promise<string> {
  await unlessInterrupted();
  const script = join(import.meta.dirname, 'fill.ts');
  const child = spawn(process.execPath, [script, schema, file, String(count)], { stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${file} could not be made`);
  return file;
}

/** A database of one's own. */
export async function copyOf(folder: string, schema: Schema, count: number): Promise<string> {
  const original = await originalOf(folder, schema, count);
  const copy = join(folder, `${schema}-${count}-${copies++}.db`);
  await copyFile(original, copy, constants.COPYFILE_FICLONE);
  return copy;
}

/** The same animals as a file of json-server. */
export async function jsonOf(folder: string, count: number): Promise<string> {
  const db = new DatabaseSync(await originalOf(folder, 'plain', count), { readOnly: true });
  const pets = db.prepare('SELECT id, name, category_id AS categoryId, status FROM pets ORDER BY id').all();
  db.close();
  const file = join(folder, `db-${count}.json`);
  await writeFile(file, JSON.stringify({ pets }));
  return file;
}

/** The same animals in a new database of PostgreSQL; its URL. */
export async function postgresOf(server: Server, count: number): Promise<string> {
  const url = await createDatabase(server);
  await (await openStore(url)).close();
  const sql = postgres(url, { max: 1 });
  await sql.unsafe(insertAnimals(`generate_series(1::bigint, ${count}) AS i`, 'animal_store.pets'));
  await sql.unsafe('VACUUM ANALYZE animal_store.pets');
  await sql.end();
  return url;
}
