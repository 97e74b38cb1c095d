import type { Sql } from 'postgres';
import type { Db } from '../../../src/store/postgres/pool/connection.ts';

/** How the server plans a prepared statement: for the values of each call, or once for all of them, which it may do from the sixth call on. */
export const PLAN_MODES = ['force_custom_plan', 'force_generic_plan'] as const;

const literal = (value: unknown): string =>
  value === null ? 'NULL' : `'${String(value).replaceAll("'", "''")}'`;

/** Runs statements with EXPLAIN ANALYZE. They return an empty page, or no rows; `plan` is the plan of the last one. */
export function explaining(sql: Sql, mode: (typeof PLAN_MODES)[number] = 'force_custom_plan') {
  let plan = '';
  async function explain(text: string, values: readonly unknown[]): Promise<never[]> {
    await sql.unsafe(`SET plan_cache_mode = ${mode}; PREPARE explained AS ${text}`);
    const call = values.length === 0 ? 'explained' : `explained (${values.map(literal).join()})`;
    const rows = await sql.unsafe(`EXPLAIN (ANALYZE, BUFFERS) EXECUTE ${call}`);
    await sql.unsafe('DEALLOCATE explained');
    plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    return [];
  }
  const unsafe = (text: string, values: readonly unknown[]) => {
    const explained = explain(text, values);
    return Object.assign(explained, { values: () => explained.then(() => [['0', null]]) });
  };
  return { db: { unsafe } as unknown as Db, plan: () => plan };
}
