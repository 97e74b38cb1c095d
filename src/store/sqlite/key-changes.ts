import type { DatabaseSync } from 'node:sqlite';
import type { KeyChanges } from '../store.ts';
import { keyTable } from './keys.ts';
import { type Row, rowStatement } from './table.ts';

export function keyChangeReads(db: DatabaseSync) {
  // At least one row, even if no key has changed: then the columns of the key are null.
  const changed = rowStatement(
    db,
    `SELECT ${keyTable.list}, change, removals, (SELECT coalesce(max(change), 0) FROM api_keys)
     FROM (SELECT removals FROM key_removals)
     LEFT JOIN (SELECT * FROM api_keys WHERE change > ?1 ORDER BY change LIMIT ?2)
     ORDER BY change`,
  );

  return {
    listKeyChanges(after: number, limit: number): KeyChanges {
      const rows = changed.all(after, limit) as unknown as [Row, ...Row[]];
      const [removals, latest] = rows[0].slice(-2).map(Number) as [number, number];
      const keys = rows.filter(([id]) => id !== null);
      return {
        keys: keys.map((row) => ({ ...keyTable.fromRow(row), change: Number(row.at(-3)) })),
        latest,
        removals,
        now: new Date(),
      };
    },
  };
}
