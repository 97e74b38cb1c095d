import { eventually } from '../eventually.ts';
import type { Sql } from './sql.ts';

async function blockedSessions(sql: Sql): Promise<number> {
  const rows = await sql`
    SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  return rows.length;
}

/**
 * Waits until `count` sessions of this database wait for a lock, or `isOver`. Must not be called with a transaction, which keeps seeing
 * the sessions as they were at first.
 */
export const untilBlocked = (sql: Sql, count = 1, isOver = () => false): Promise<void> =>
  eventually(
    async () => isOver() || (await blockedSessions(sql)) >= count,
    `${count} sessions wait for a lock`,
  );
