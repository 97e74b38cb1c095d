import type { KeyChanges } from '../store.ts';
import type { Db } from './connection.ts';
import { keyTable } from './keys.ts';
import { type Packed, packingOf } from './packed.ts';
import { count, defineTable } from './table.ts';

const changeTable = defineTable<KeyChanges['keys'][number]>('api_keys', {
  ...keyTable.columns,
  change: count('change'),
});
const { pack, unpack } = packingOf(changeTable);

const STATEMENT = `
  SELECT packed_values, packed_texts, removals, (SELECT coalesce(max(change), 0) FROM api_keys) AS latest
  FROM key_removals
  CROSS JOIN (${pack(`${changeTable.select} WHERE change > $1 ORDER BY change LIMIT $2`)}) AS changed`;

export async function listKeyChanges(sql: Db, after: number, limit: number): Promise<KeyChanges> {
  const rows: unknown = await sql.unsafe(STATEMENT, [after, limit], { prepare: true }).values();
  const [[values, texts, removals, latest]] = rows as [[...Packed, bigint, bigint]];
  return { keys: unpack([values, texts]), latest: Number(latest), removals: Number(removals) };
}
