import type { Sql } from 'postgres';
import type { Db } from '../../src/store/postgres/pool/connection.ts';

/** Runs statements for pages with EXPLAIN ANALYZE. They return an empty page; `plan` is the plan of the last one. */
export function explaining(sql: Sql): { readonly db: Db; plan(): string } {
  let plan = '';
  async function explain(text: string, values: string[]): Promise<['0', null][]> {
    const rows = await sql.unsafe(`EXPLAIN ANALYZE ${text}`, values);
    plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    return [['0', null]];
  }
  const db = {
    unsafe: (text: string, values: string[]) => ({ values: () => explain(text, values) }),
  };
  return { db: db as unknown as Db, plan: () => plan };
}
