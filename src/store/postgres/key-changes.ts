import type { KeyChanges } from '../store.ts';
import { allRowsOf, type TextRow } from './all-rows.ts';
import type { Db } from './connection.ts';
import { keyTable } from './keys.ts';
import { count, defineTable } from './table.ts';

const changeTable = defineTable<KeyChanges['keys'][number]>('api_keys', {
  ...keyTable.columns,
  change: count('change'),
});
const { inOne, itemsOf } = allRowsOf(changeTable);

const STATEMENT = `
  SELECT all_rows, removals, (SELECT coalesce(max(change), 0) FROM api_keys) AS latest, clock_timestamp() AS now
  FROM key_removals
  CROSS JOIN (${inOne(`${changeTable.select} WHERE change > $1 ORDER BY change LIMIT $2`)}) AS changed`;

export async function listKeyChanges(sql: Db, after: number, limit: number): Promise<KeyChanges> {
  const rows: unknown = await sql.unsafe(STATEMENT, [after, limit], { prepare: true }).values();
  const [[changed, removals, latest, now]] = rows as [[TextRow[] | null, bigint, bigint, Date]];
  return { keys: itemsOf(changed), latest: Number(latest), removals: Number(removals), now };
}
