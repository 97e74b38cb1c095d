import { type Author, cursorExpired, type EventType } from '../../contract/event.ts';
import type { EventPosition } from '../../contract/event-id.ts';
import { type EventRow, eventPageOf } from '../events.ts';
import type { EventPage, EventQuery } from '../store.ts';
import { integer } from '../table.ts';
import { tables } from '../tables.ts';
import { allRowsOf, type Value } from './all-rows.ts';
import type { Db } from './pool/connection.ts';
import { arrayOf, defineTable } from './table.ts';

const readTable = defineTable<EventRow & { readonly transaction: bigint }>({
  ...tables.events,
  columns: { transaction: integer('transaction'), ...tables.events.columns },
});
const { inOne, itemsOf } = allRowsOf(readTable);

/** The number of the current transaction. The server gives out numbers in ascending order, when a transaction first writes. */
const TRANSACTION = '(SELECT pg_current_xact_id()::text::int8 + shift FROM event_feed)';

/**
 * Every transaction below this one has ended, so that no event below it can appear any more. One that is still running, in any
 * database of the server, delays the events of all later ones.
 */
const HORIZON = '(SELECT pg_snapshot_xmin(pg_current_snapshot())::text::int8 + shift FROM event_feed)';

/** The values of an event, each as an SQL expression. */
interface EventValues {
  readonly type: string;
  readonly petId?: string;
  readonly keyId: string;
  readonly keyName: string;
  readonly content: string;
}

/** An INSERT of an event for each row of `from`, to be a part of the statement that makes the change. */
export const insertEvents = (
  { type, petId = 'NULL::int8', keyId, keyName, content }: EventValues,
  from: string,
) =>
  `INSERT INTO events (transaction, type, pet_id, key_id, key_name, content)
   SELECT ${TRANSACTION}, ${type}, ${petId}, ${keyId}, ${keyName}, ${content} FROM ${from}`;

/** An event that is known before the statement that writes it. */
export interface NewEvent {
  readonly type: EventType;
  readonly petId?: bigint;
  readonly content: string;
  readonly by: Author | undefined;
}

/** Such events as arrays, whose parameters follow `count` others of the statement. */
export function newEventArrays(events: readonly NewEvent[], count: number) {
  const placeholders = ['text', 'int8', 'text', 'text', 'text'].map(
    (type, i) => `$${count + i + 1}::${type}[]`,
  );
  return {
    columns: { type: 'type', petId: 'pet_id', keyId: 'key_id', keyName: 'key_name', content: 'content' },
    rows: `unnest(${placeholders.join(', ')}) AS event (type, pet_id, key_id, key_name, content)`,
    values: [
      arrayOf(events.map(({ type }) => type)),
      arrayOf(events.map(({ petId }) => petId)),
      arrayOf(events.map(({ by }) => by?.keyId)),
      arrayOf(events.map(({ by }) => by?.keyName)),
      arrayOf(events.map(({ content }) => content)),
    ],
  };
}

/** The author as values of a statement. */
export const authorOf = (by: Author | undefined): [string | null, string | null] => [
  by?.keyId ?? null,
  by?.keyName ?? null,
];

/** For a change from the command line. */
export const NO_AUTHOR = { keyId: 'NULL', keyName: 'NULL' };

/** Writes the event of a change that other statements of the same transaction make. */
export async function recordEvent(sql: Db, type: EventType, content: string): Promise<void> {
  const values = { type: '$1::text', ...NO_AUTHOR, content: '$2::text' };
  await sql.unsafe(insertEvents(values, '(SELECT) AS one'), [type, content], { prepare: true });
}

export async function listEvents(
  sql: Db,
  { limit, after, petId, order = 'oldest' }: EventQuery,
): Promise<EventPage> {
  const [follows, direction] = order === 'oldest' ? ['>', 'ASC'] : ['<', 'DESC'];
  const values: Value[] = [limit];
  const where = [`transaction < ${HORIZON}`];
  let isKnown = 'true';
  if (after) {
    const [transaction, id] = [after.transaction, after.id].map((value) => `$${values.push(value)}::int8`);
    const ms = `$${values.push(after.at.getTime())}::int8`;
    isKnown = `EXISTS (
      SELECT FROM events WHERE transaction = ${transaction} AND id = ${id}
        AND (extract(epoch FROM at) * 1000)::int8 = ${ms} AND ${where})`;
    where.push(`(transaction, id) ${follows} (${transaction}, ${id})`);
  }
  if (petId !== undefined) where.push(`pet_id = $${values.push(petId)}::int8`);
  const columns = `transaction ${direction}, id ${direction}`;
  const page = `${readTable.select} WHERE ${where.join(' AND ')} ORDER BY ${columns} LIMIT $1::int8 + 1`;
  // One statement, so that what is deleted meanwhile is either in the page or makes the position unknown.
  const statement = `SELECT ${isKnown} AS is_known, (${inOne(page, columns)}) AS all_rows`;
  const [row] = await sql.unsafe(statement, values, { prepare: true });
  if (!row?.is_known) throw cursorExpired();
  return eventPageOf(itemsOf(row.all_rows), limit);
}

const LATEST = `SELECT transaction, id, at FROM events WHERE transaction < ${HORIZON} ORDER BY transaction DESC, id DESC LIMIT 1`;

export async function latestEvent(sql: Db): Promise<EventPosition | undefined> {
  const [row] = await sql.unsafe(LATEST, [], { prepare: true });
  return row && { transaction: row.transaction, id: row.id, at: row.at };
}

/** Deletes at most `max` of the oldest events that are older than this; returns how many. The newest of those stays, for readers that have seen it. */
export async function forgetEvents(sql: Db, keepMs: number, max: number): Promise<number> {
  const { count } = await sql`
    DELETE FROM events WHERE (transaction, id) < (
      SELECT transaction, id FROM (SELECT transaction, id, at FROM events ORDER BY transaction, id LIMIT ${max} + 1) AS oldest
      WHERE at < now() - ${`${keepMs} milliseconds`}::interval ORDER BY transaction DESC, id DESC LIMIT 1)`;
  return count;
}

/**
 * A server on which a dump is restored may have counted fewer transactions than the dump: their events would not be seen, and new ones would
 * be sorted before them. Must run before an instance writes. No running instance can be on another server than before.
 */
export async function continueTransactions(sql: Db): Promise<void> {
  await sql`
    UPDATE event_feed SET shift = newest + 1 - pg_snapshot_xmin(pg_current_snapshot())::text::int8
    FROM (SELECT max(transaction) AS newest FROM events) AS events
    WHERE newest >= pg_snapshot_xmax(pg_current_snapshot())::text::int8 + shift`;
}
