import type { Db } from '../../../src/store/postgres/pool/connection.ts';
import type { Sql } from './sql.ts';

const literal = (value: unknown): string =>
  value === null ? 'NULL' : `'${String(value).replaceAll("'", "''")}'`;

/** Runs statements with EXPLAIN ANALYZE. They return an empty page, or no rows; `plan` is the plan of the last one. */
export function explaining(sql: Sql) {
  let plan = '';
  async function explain(text: string, values: readonly unknown[] = []): Promise<never[]> {
    await sql.unsafe(`PREPARE explained AS ${text}`);
    const call = values.length === 0 ? 'explained' : `explained (${values.map(literal).join()})`;
    const rows = await sql.unsafe(`EXPLAIN (ANALYZE, BUFFERS) EXECUTE ${call}`);
    await sql.unsafe('DEALLOCATE explained');
    plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    return [];
  }
  return { db: { query: explain } as unknown as Db, plan: () => plan };
}
