import { cursorExpired } from '../../contract/event.ts';
import type { EventPosition } from '../../contract/event-id.ts';
import { limits } from '../../contract/limits.ts';
import { isSearch } from '../event-filter.ts';
import { eventPageOf } from '../events.ts';
import { searchStatement } from '../search.ts';
import type { EventPage, EventQuery } from '../store.ts';
import { tables } from '../tables.ts';
import type { Db } from './pool/connection.ts';
import { allRowsOf, type Value } from './reads/all-rows.ts';
import { arrayOf, defineTable } from './table.ts';

/** Numbered in the order of the commits: see writer/locks.ts. */
export const eventTable = defineTable(tables.events);

const { inOne, itemsOf } = allRowsOf(eventTable);

/** The number of the event that a reader has seen last, as an SQL expression of a position: NULL if it is not there. */
function numberOf({ id, at }: EventPosition, values: Value[]): string {
  const ms = `(extract(epoch FROM at) * 1000)::int8 = $${values.push(at.getTime())}::int8`;
  return `(SELECT id FROM events WHERE id = $${values.push(id)}::int8 AND ${ms})`;
}

type Range = ReturnType<typeof rangeOf>;

/** The events after a position, of one animal or of all, and whether the position is known, as an SQL expression. */
function rangeOf({ after, petId, order = 'oldest' }: EventQuery, values: Value[]) {
  const [follows, direction] = order === 'oldest' ? ['>', 'ASC'] : ['<', 'DESC'];
  const where = ['true'];
  const number = after && numberOf(after, values);
  if (number !== undefined) where.push(`id ${follows} ${number}`);
  if (petId !== undefined) where.push(`pet_id = $${values.push(petId)}::int8`);
  return {
    where: where.join(' AND '),
    order: `${petId === undefined ? '' : `pet_id ${direction}, `}id ${direction}`,
    isKnown: number === undefined ? 'true' : `${number} IS NOT NULL`,
  };
}

/** Both kinds of pages are one statement, so that what is deleted meanwhile is either in the page or makes the position unknown. */
export async function listEvents(sql: Db, query: EventQuery): Promise<EventPage> {
  const { limit } = query;
  const values: Value[] = [limit];
  const range = rangeOf(query, values);
  const statement = isSearch(query) ? searchIn(range, query, values) : pageIn(range);
  const [row] = await sql.unsafe(statement, values, { prepare: true });
  if (!row?.is_known) throw cursorExpired();
  return eventPageOf(itemsOf(row.all_rows), limit, itemsOf(row.ended)[0]);
}

function pageIn({ where, order, isKnown }: Range): string {
  const page = `${eventTable.select} WHERE ${where} ORDER BY ${order} LIMIT $1::int8 + 1`;
  return `SELECT ${isKnown} AS is_known, (${inOne(page, order)}) AS all_rows, NULL AS ended`;
}

/** Events of some types or keys: no index has these. */
function searchIn({ where, order, isKnown }: Range, { types, keyIds }: EventQuery, values: Value[]): string {
  const isOneOf = (column: string, texts: readonly string[] | undefined) =>
    texts ? `${column} = ANY ($${values.push(arrayOf(texts))}::text[])` : 'true';
  // The constant tells the planner that the rows are few.
  const next = `SELECT * FROM events WHERE ${where} ORDER BY ${order} LIMIT ${limits.lookedAt}`;
  const search = searchStatement({
    select: (columns, limit) => `SELECT ${columns} FROM (${next}) AS next ORDER BY ${order} LIMIT ${limit}`,
    columns: eventTable.list,
    order,
    matches: `${isOneOf('type', types)} AND ${isOneOf('key_id', keyIds)}`,
    item: "''",
    rows: limits.lookedAt,
    limit: '$1::int8',
    endsAtLast: true,
  });
  return `
    WITH searched AS MATERIALIZED (${search})
    SELECT ${isKnown} AS is_known, (${inOne('SELECT * FROM searched WHERE item IS NOT NULL', order)}) AS all_rows,
      (${inOne('SELECT * FROM searched WHERE item IS NULL')}) AS ended`;
}

export async function latestEvent(sql: Db): Promise<EventPosition | undefined> {
  const [row] = await sql`SELECT id, at FROM events ORDER BY id DESC LIMIT 1`;
  return row && { id: row.id, at: row.at };
}

/** Deletes at most `max` of the oldest events that are older than this; returns how many. The newest of those stays, for readers that have seen it. */
export async function forgetEvents(sql: Db, keepMs: number, max: number): Promise<number> {
  const { count } = await sql`
    DELETE FROM events WHERE id < (
      SELECT max(id) FROM (SELECT id, at FROM events ORDER BY id LIMIT ${max} + 1) AS oldest
      WHERE at < now() - ${`${keepMs} milliseconds`}::interval)`;
  return count;
}
