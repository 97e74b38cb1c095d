import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { KeyChanges } from '../store.ts';
import { keyOf } from './keys.ts';

type Row = Record<string, SQLOutputValue>;

export function keyChangeReads(db: DatabaseSync) {
  // At least one row, also when no key has changed: then the columns of the key are null.
  const changed = db.prepare(`
    SELECT changed.*, removals, (SELECT coalesce(max(change), 0) FROM api_keys) AS latest
    FROM key_removals
    LEFT JOIN (SELECT * FROM api_keys WHERE change > ?1 ORDER BY change LIMIT ?2) AS changed
    ORDER BY change`);

  return {
    listKeyChanges(after: number, limit: number): KeyChanges {
      const rows = changed.all(after, limit) as [Row, ...Row[]];
      const { latest, removals } = rows[0];
      const keys = rows.filter(({ id }) => id !== null);
      return {
        keys: keys.map((row) => ({ ...keyOf(row), change: Number(row.change) })),
        latest: Number(latest),
        removals: Number(removals),
      };
    },
  };
}
