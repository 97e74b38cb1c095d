import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { TestContext } from 'node:test';
import { temporaryFolder } from '../service/service.ts';
import { createDatabase, startCluster } from './postgres.ts';
import { runSql } from './sql.ts';

/** The server of the file that imports this. */
export const server = await startCluster();

/** What makes the URL of a new database of each kind. */
export const bothStores = [
  ['sqlite', async (t: TestContext) => `sqlite:${join(await temporaryFolder(t), 'pets.db')}`],
  ['postgres', (_t: TestContext) => createDatabase(server)],
] as const;

/** Runs statements on the database itself; returns the rows of the last one. */
export async function execute(
  url: string,
  statements: Record<'sqlite' | 'postgres', string>,
): Promise<object[]> {
  if (url.startsWith('postgres')) return runSql(url, statements.postgres);
  const db = new DatabaseSync(url.slice('sqlite:'.length), { readBigInts: true, timeout: 5000 });
  try {
    const [last = '', ...others] = statements.sqlite.split('; ').toReversed();
    for (const statement of others.reverse()) db.exec(statement);
    return db.prepare(last).all();
  } finally {
    db.close();
  }
}
