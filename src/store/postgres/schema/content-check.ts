import {
  checks,
  type RowCheck,
  rowChecks,
  wrongCategoryCounts,
  wrongIds,
} from '../../tools/content-problems.ts';
import type { Db } from '../pool/connection.ts';
import { chunksOf } from '../table.ts';
import { LIMIT_WAITS } from '../transaction.ts';

/** Every statement adds to the counts by triggers, so they agree with the rows in any snapshot. */
const WRONG_COUNTS = {
  select: `
    SELECT status FROM (
      SELECT status, count(*) AS pets FROM pets GROUP BY status
      UNION ALL SELECT status, -pets FROM inventory
    ) AS both_counts GROUP BY status HAVING sum(pets) <> 0 ORDER BY status`,
  lines: (rows: readonly { readonly status?: unknown }[]) =>
    rows.map(({ status }) => `the count of animals with the status ${status} is wrong`),
};

const WRONG_CATEGORY_COUNTS = wrongCategoryCounts(`
  SELECT category_id FROM (
    SELECT category_id, status, count(*) AS pets FROM pets GROUP BY category_id, status
    UNION ALL SELECT category_id, status, -pets FROM category_inventory
    UNION ALL SELECT category_id, status, -pets FROM category_changes
  ) AS all_counts GROUP BY category_id, status HAVING sum(pets) <> 0`);

/** A line for each kind of content that the program would never write. Must run inside a transaction. Reads everything but idempotency keys. */
export async function contentProblems(sql: Db): Promise<string[]> {
  await sql.query(LIMIT_WAITS);
  const problems: string[] = [];
  for (const { select, lines } of [...checks, WRONG_COUNTS, WRONG_CATEGORY_COUNTS])
    problems.push(...lines(await sql.objects(select)));
  for (const check of rowChecks) problems.push(...(await wrongRowsIn(sql, check)));
  return problems;
}

async function wrongRowsIn(sql: Db, { what, table, texts, derived, isRight }: RowCheck): Promise<string[]> {
  const wrong: bigint[] = [];
  const columns = [...texts, ...derived];
  for await (const rows of chunksOf(sql, `SELECT id, ${columns.join(', ')} FROM ${table}`))
    for (const [id, ...values] of rows) if (!isRight(values)) wrong.push(BigInt(id ?? 0));
  return wrongIds(what, wrong);
}
