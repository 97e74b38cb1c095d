import type { Row } from 'postgres';
import type { KeyChanges } from '../store.ts';
import type { Db } from './connection.ts';
import { keyTable } from './keys.ts';

export async function listKeyChanges(sql: Db, after: number, limit: number): Promise<KeyChanges> {
  // At least one row, even if no key has changed: then the columns of the key are null.
  const rows = (await sql`
    SELECT changed.*, removals, (SELECT coalesce(max(change), 0) FROM api_keys) AS latest
    FROM key_removals
    LEFT JOIN (SELECT * FROM api_keys WHERE change > ${after} ORDER BY change LIMIT ${limit}) AS changed ON true
    ORDER BY change`) as unknown as [Row, ...Row[]];
  const { latest, removals } = rows[0];
  const keys = rows.filter(({ id }) => id !== null);
  return {
    keys: keys.map((row) => ({ ...keyTable.fromRow(row), change: Number(row.change) })),
    latest: Number(latest),
    removals: Number(removals),
  };
}
