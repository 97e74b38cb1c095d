import { cp, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { temporaryFolder } from '../service/service.ts';

/** A folder with the migrations of the program and, after them, those of a newer version. `newest` is the last one of the program. */
export async function withMigrations(t: TestContext, store: 'sqlite' | 'postgres', ...added: string[]) {
  const folder = await temporaryFolder(t);
  await cp(join(import.meta.dirname, '../../../src/store', store, 'migrations'), folder, { recursive: true });
  const newest = Number.parseInt((await readdir(folder)).sort().at(-1) ?? '', 10);
  for (const [i, sql] of added.entries())
    await writeFile(join(folder, `${String(newest + 1 + i).padStart(3, '0')}-added.sql`), sql);
  return { folder, newest };
}
