import type { Sql } from 'postgres';
import type { Db } from '../../src/store/postgres/connection.ts';

/** Runs statements that pack their result with EXPLAIN ANALYZE. They return nothing; `plan` is the plan of the last one. */
export function explaining(sql: Sql): { readonly db: Db; plan(): string } {
  let plan = '';
  async function explain(text: string, values: string[]): Promise<[null, null][]> {
    const rows = await sql.unsafe(`EXPLAIN ANALYZE ${text}`, values);
    plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    return [[null, null]];
  }
  const db = {
    unsafe: (text: string, values: string[]) => ({ values: () => explain(text, values) }),
  };
  return { db: db as unknown as Db, plan: () => plan };
}
