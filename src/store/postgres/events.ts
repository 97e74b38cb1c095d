import { cursorExpired } from '../../contract/event.ts';
import type { EventPosition } from '../../contract/event-id.ts';
import { limits } from '../../contract/limits.ts';
import { eventPageOf, isSearch } from '../events.ts';
import { searchStatement } from '../search.ts';
import type { EventPage, EventQuery } from '../store.ts';
import { tables } from '../tables.ts';
import type { Db, Value } from './pool/connection.ts';
import { mostOf } from './reads/lists.ts';
import { arrayOf, defineTable, rowsAsJson, rowsIn } from './table.ts';
import { isAlone } from './writer/locks.ts';

/** Numbered in the order of the commits: see writer/locks.ts. */
export const eventTable = defineTable(tables.events);

const inOne = (select: string, order?: string) => rowsAsJson(eventTable, select, order);
const EXCEPT_CONTENT = eventTable.list.replace(', content', '');

/** The number of the event at a position, as an SQL expression; NULL if that event does not exist. */
function numberOf({ id, at }: EventPosition, values: Value[]): string {
  const ms = `(extract(epoch FROM at) * 1000)::int8 = $${values.push(at.getTime())}::int8`;
  return `(SELECT id FROM events WHERE id = $${values.push(id)}::int8 AND ${ms})`;
}

type Following = ReturnType<typeof followingOf>;

/** The events after a position, of one animal or of all, and whether the position is known, as an SQL expression. */
function followingOf({ after, petId, order = 'oldest' }: EventQuery, values: Value[]) {
  const [follows, direction] = order === 'oldest' ? ['>', 'ASC'] : ['<', 'DESC'];
  const number = after && numberOf(after, values);
  const pet = petId === undefined ? undefined : `$${values.push(petId)}::int8`;
  const where = [number ? `id ${follows} ${number}` : 'true', pet ? `pet_id = ANY (ARRAY[${pet}])` : 'true'];
  const inOrder = `id ${direction}`;
  return {
    order: inOrder,
    isKnown: number === undefined ? 'true' : `${number} IS NOT NULL`,
    /** Selects columns of at most `most` events. See `rowsIn` of `reads/lists.ts` for its form. */
    select: (columns: string, limit: string, most: number) => `
      SELECT ${columns} FROM (SELECT * FROM events WHERE ${where.join(' AND ')} ORDER BY ${pet ? `pet_id ${direction}, ` : ''}${inOrder} LIMIT ${most}) AS range
      WHERE ${pet ? `pet_id = ${pet}` : 'true'} ORDER BY ${inOrder} LIMIT ${limit}`,
  };
}

/** Both kinds of pages are one statement, so that what is deleted meanwhile is either in the page or makes the position unknown. */
export async function listEvents(sql: Db, query: EventQuery): Promise<EventPage> {
  const { limit } = query;
  const values: Value[] = [limit];
  const following = followingOf(query, values);
  const statement = isSearch(query) ? searchIn(following, query, values) : pageIn(following, limit);
  const [row] = await sql.query(statement, values);
  const [isKnown, events, ended] = row ?? [];
  if (isKnown !== 't') throw cursorExpired();
  return eventPageOf(rowsIn(eventTable, events), limit, rowsIn(eventTable, ended)[0]);
}

function pageIn({ select, order, isKnown }: Following, limit: number): string {
  const page = select(eventTable.list, '$1::int8 + 1', mostOf(limit));
  return `SELECT ${isKnown}, (${inOne(page, order)})`;
}

/** Events of some types or keys: no index has these. */
function searchIn(
  { select, order, isKnown }: Following,
  { types, keyIds }: EventQuery,
  values: Value[],
): string {
  const isOneOf = (column: string, texts: readonly string[] | undefined) =>
    texts ? `${column} = ANY ($${values.push(arrayOf(texts))}::text[])` : 'true';
  const search = searchStatement({
    select: (columns, limit) => select(columns, limit, limits.lookedAt),
    columns: EXCEPT_CONTENT,
    order,
    found: `CASE WHEN ${isOneOf('type', types)} AND ${isOneOf('key_id', keyIds)} THEN content END AS item`,
    ended: 'NULL',
    rows: limits.lookedAt,
    limit: '$1::int8',
    endsAtLast: true,
  });
  const searched = (where: string) => `SELECT *, item AS content FROM searched WHERE ${where}`;
  return `
    WITH searched AS MATERIALIZED (${search})
    SELECT ${isKnown}, (${inOne(searched('item IS NOT NULL'), order)}), (${inOne(searched('item IS NULL'))})`;
}

export async function latestEvent(sql: Db): Promise<EventPosition | undefined> {
  const [row] = await sql.query('SELECT id, at FROM events ORDER BY id DESC LIMIT 1', []);
  return row && { id: BigInt(row[0] ?? 0), at: new Date(row[1] ?? 0) };
}

const FORGET = `
  WITH forgotten AS (
    DELETE FROM events WHERE ${isAlone('events')} AND id >= $1::int8 AND id < (
      SELECT max(id) FROM (SELECT id, at FROM events WHERE id >= $1::int8 ORDER BY id LIMIT $2::int8 + 1) AS oldest
      WHERE at < now() - $3::interval)
    RETURNING id)
  SELECT count(*), coalesce(max(id) + 1, 0) FROM forgotten`;

/**
 * Deletes at most `max` of the oldest events that are older than `keepMs`; returns how many. The newest of those stays, for readers that have seen
 * it. `from` is where it goes on.
 */
export async function forgetEvents(
  sql: Db,
  from: { event: string },
  keepMs: number,
  max: number,
): Promise<number> {
  const [row] = await sql.query(FORGET, [from.event, max, `${keepMs} milliseconds`]);
  from.event = row?.[1] ?? '0';
  return Number(row?.[0]);
}
