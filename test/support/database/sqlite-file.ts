import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { TestContext } from 'node:test';
import { openStore } from '../../../src/store/open.ts';
import type { Store } from '../../../src/store/store.ts';
import { temporaryFolder } from '../service/service.ts';

/** A store on a new SQLite file, and a connection beside it, as another program has one. */
export async function openSqliteFile(
  t: TestContext,
): Promise<{ readonly file: string; readonly store: Store; readonly db: DatabaseSync }> {
  const file = join(await temporaryFolder(t), 'pets.db');
  const store = await openStore(`sqlite:${file}`);
  t.after(() => store.close());
  const db = new DatabaseSync(file);
  t.after(() => db.close());
  return { file, store, db };
}
