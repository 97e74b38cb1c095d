import { cursorExpired } from '../../contract/event.ts';
import type { EventPosition } from '../../contract/event-id.ts';
import { eventPageOf } from '../events.ts';
import type { EventPage, EventQuery } from '../store.ts';
import { tables } from '../tables.ts';
import type { Db } from './pool/connection.ts';
import { allRowsOf, type Value } from './reads/all-rows.ts';
import { defineTable } from './table.ts';

/** Numbered in the order of the commits: see writer/locks.ts. */
export const eventTable = defineTable(tables.events);

const { inOne, itemsOf } = allRowsOf(eventTable);

/** The number of the event that a reader has seen last, as an SQL expression of a position: NULL if it is not there. */
function numberOf({ transaction, id, at }: EventPosition, values: Value[]): string {
  const place = `$${values.push(id)}::int8`;
  const ms = `(extract(epoch FROM at) * 1000)::int8 = $${values.push(at.getTime())}::int8`;
  if (transaction === 0n) return `(SELECT id FROM events WHERE id = ${place} AND ${ms})`;
  // The reader has seen it before events were numbered.
  const old = `old_transaction = $${values.push(transaction)}::int8 AND old_id = ${place}`;
  return `(SELECT id FROM events WHERE ${old} AND ${ms})`;
}

export async function listEvents(
  sql: Db,
  { limit, after, petId, order = 'oldest' }: EventQuery,
): Promise<EventPage> {
  const [follows, direction] = order === 'oldest' ? ['>', 'ASC'] : ['<', 'DESC'];
  const values: Value[] = [limit];
  const where: string[] = [];
  let known = '0';
  if (after) {
    known = numberOf(after, values);
    where.push(`id ${follows} ${known}`);
  }
  if (petId !== undefined) where.push(`pet_id = $${values.push(petId)}::int8`);
  const condition = where.length === 0 ? '' : `WHERE ${where.join(' AND ')}`;
  const byPet = petId === undefined ? '' : `pet_id ${direction}, `;
  const page = `${eventTable.select} ${condition} ORDER BY ${byPet}id ${direction} LIMIT $1::int8 + 1`;
  // One statement, so that what is deleted meanwhile is either in the page or makes the position unknown.
  const statement = `SELECT ${known} IS NOT NULL AS is_known, (${inOne(page, `id ${direction}`)}) AS all_rows`;
  const [row] = await sql.unsafe(statement, values, { prepare: true });
  if (!row?.is_known) throw cursorExpired();
  return eventPageOf(itemsOf(row.all_rows), limit);
}

export async function latestEvent(sql: Db): Promise<EventPosition | undefined> {
  const [row] = await sql`SELECT id, at FROM events ORDER BY id DESC LIMIT 1`;
  return row && { transaction: 0n, id: row.id, at: row.at };
}

/** Deletes at most `max` of the oldest events that are older than this; returns how many. The newest of those stays, for readers that have seen it. */
export async function forgetEvents(sql: Db, keepMs: number, max: number): Promise<number> {
  const { count } = await sql`
    DELETE FROM events WHERE id < (
      SELECT max(id) FROM (SELECT id, at FROM events ORDER BY id LIMIT ${max} + 1) AS oldest
      WHERE at < now() - ${`${keepMs} milliseconds`}::interval)`;
  return count;
}
