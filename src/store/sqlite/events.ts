import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { type Author, cursorExpired, type NewEvent } from '../../contract/event.ts';
import type { EventPosition } from '../../contract/event-id.ts';
import { type EventRow, eventPageOf } from '../events.ts';
import { searchStatement } from '../search.ts';
import type { EventPage, EventQuery } from '../store.ts';
import { tables } from '../tables.ts';
import { writeStatement } from './connection.ts';
import { limitOf, newestOf } from './reads/pages.ts';
import { rowsWith } from './reads/search.ts';
import { defineTable, type Row, rowStatement } from './table.ts';

/** One writer commits one transaction after the other, so the ids are in the order of the commits. */
export const eventTable = defineTable(tables.events);

/**
 * The page after an event begins with that event itself, so that one statement shows whether the reader's position still exists: between two,
 * it could be deleted.
 */
export function eventReads(db: DatabaseSync) {
  const select = (where: string, order: string) =>
    rowStatement(db, `${eventTable.select} WHERE ${where} ORDER BY ${order} LIMIT ?2`);
  const following = (where: string, order: string) =>
    rowStatement(
      db,
      `SELECT * FROM (${eventTable.select} WHERE id = ?1)
       UNION ALL SELECT * FROM (${eventTable.select} WHERE ${where} ORDER BY ${order} LIMIT ?2)`,
    );
  const first = { oldest: select('true', 'id'), newest: select('true', 'id DESC') };
  const firstOfPet = { oldest: select('pet_id = ?1', 'id'), newest: select('pet_id = ?1', 'id DESC') };
  const next = { oldest: following('id > ?1', 'id'), newest: following('id < ?1', 'id DESC') };
  const nextOfPet = {
    oldest: following('pet_id = ?3 AND id > ?1', 'id'),
    newest: following('pet_id = ?3 AND id < ?1', 'id DESC'),
  };
  const latest = rowStatement(db, 'SELECT id, at FROM events ORDER BY id DESC LIMIT 1');

  function rowsOf({ limit, after, petId, order = 'oldest' }: EventQuery): unknown {
    if (!after)
      return petId === undefined
        ? first[order].all(null, limit + 1)
        : firstOfPet[order].all(petId, limit + 1);
    return petId === undefined
      ? next[order].all(after.id, limit + 1)
      : nextOfPet[order].all(after.id, limit + 1, petId);
  }

  return {
    searchEvents: eventSearch(db),
    listEvents(query: EventQuery): EventPage {
      const { limit, after } = query;
      const events = (rowsOf(query) as Row[]).map(eventTable.fromRow);
      if (!after) return eventPageOf(events, limit);
      const [known, ...following] = events;
      if (!isAt(known, after)) throw cursorExpired();
      return eventPageOf(following, limit);
    },
    latestEvent(): EventPosition | undefined {
      const row = latest.get() as unknown as [bigint, bigint] | undefined;
      return row && { id: row[0], at: new Date(Number(row[1])) };
    },
  };
}

const isAt = (known: Pick<EventRow, 'id' | 'at'> | undefined, after: EventPosition): boolean =>
  known?.id === after.id && known.at.getTime() === after.at.getTime();

/** Where a row of a search is from: the reader's position, what was found, or the last row that was looked at. */
type Origin = 0n | 1n | 2n;

/** Looks at some events for those of some types or keys: no index has these. Each combination of filters is prepared once. */
function eventSearch(db: DatabaseSync): (query: EventQuery, rows: number) => EventPage {
  const prepared = new Map<string, StatementSync>();
  const { list, select, fromRow } = eventTable;

  return ({ limit, after, petId, types, keyIds, order = 'oldest' }, rows) => {
    const values: SQLInputValue[] = [limit, after?.id ?? null, rows];
    const parameter = (value: SQLInputValue) => `?${values.push(value)}`;
    const isOneOf = (column: string, texts: readonly string[]) =>
      `${column} IN (SELECT value FROM json_each(${parameter(JSON.stringify(texts))}))`;
    const [follows, direction] = order === 'oldest' ? ['>', 'ASC'] : ['<', 'DESC'];
    const range = [after ? `id ${follows} ?2` : 'true'];
    if (petId !== undefined) range.push(`pet_id = ${parameter(petId)}`);
    const matches = [
      ...(types ? [isOneOf('type', types)] : []),
      ...(keyIds ? [`key_id IS NOT NULL AND ${isOneOf('key_id', keyIds)}`] : []),
    ];
    const search = searchStatement({
      rowsWith: rowsWith('events'),
      candidates: newestOf('events', [range.join(' AND ')], `id ${direction}`),
      order: `id ${direction}, origin`,
      matches: matches.join(' AND '),
      found: [list, '1 AS origin'],
      stopped: () => [list, '2'],
      stopsAtLast: true,
      limit: '?1',
      rows: limitOf('?3'),
    });
    const sql = `SELECT *, 0 FROM (${select} WHERE id = ?2) UNION ALL SELECT * FROM (${search})`;
    const statement = prepared.get(sql) ?? rowStatement(db, sql);
    prepared.set(sql, statement);
    const found = statement.all(...values) as unknown as Row[];
    const from = (origin: Origin) => found.filter((row) => row.at(-1) === origin).map(fromRow);
    if (after && !isAt(from(0n)[0], after)) throw cursorExpired();
    return eventPageOf(from(1n), limit, from(2n)[0]);
  };
}

/** Not by `insertInto`, which is slower: every create waits for this. */
export function eventRows(db: DatabaseSync) {
  const insert = writeStatement(
    db,
    'INSERT INTO events (type, pet_id, at, key_id, key_name, content) VALUES (?, ?, ?, ?, ?, ?)',
  );
  return {
    record({ type, petId, content }: NewEvent, by?: Author): void {
      insert.run(type, petId ?? null, Date.now(), by?.keyId ?? null, by?.keyName ?? null, content);
    },
  };
}

export function eventActions(db: DatabaseSync) {
  const remove = writeStatement(
    db,
    `DELETE FROM events WHERE id < (
       SELECT max(id) FROM (SELECT id, at FROM events ORDER BY id LIMIT ?2 + 1) WHERE at < ?1)`,
  );

  return {
    /** Deletes at most `max` of the oldest events from before this time; returns how many. The newest of those stays, for readers that have seen it. */
    forgetEvents: (before: number, max: number): number => Number(remove.run(before, max).changes),
  };
}
