import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { TestContext } from 'node:test';
import { temporaryFolder } from '../service/service.ts';
import { createDatabase, startCluster } from './postgres.ts';
import { runSql } from './sql.ts';

/** The server of the file that imports this. */
export const server = await startCluster();

export type Kind = 'sqlite' | 'postgres';

/** Makes the URL of a new database of each kind. */
export const newUrl: Readonly<Record<Kind, (t: TestContext) => Promise<string>>> = {
  sqlite: async (t) => `sqlite:${join(await temporaryFolder(t), 'pets.db')}`,
  postgres: () => createDatabase(server),
};
export const bothStores = [
  ['sqlite', newUrl.sqlite],
  ['postgres', newUrl.postgres],
] as const;

/** Runs statements on the database itself; returns the rows of the last one. */
export async function execute(url: string, statements: Record<Kind, string>): Promise<object[]> {
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
