import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { type Author, cursorExpired, type NewEvent } from '../../contract/event.ts';
import type { EventPosition } from '../../contract/event-id.ts';
import { eventPageOf, isSearch } from '../events.ts';
import { searchStatement } from '../search.ts';
import type { EventPage, EventQuery } from '../store.ts';
import { tables } from '../tables.ts';
import { writeStatement } from './connection.ts';
import { SEARCHED_ROWS } from './reads/lists.ts';
import { defineTable, type Row, rowStatement } from './table.ts';

/** One writer commits one transaction after the other, so the ids are in the order of the commits. */
const eventTable = defineTable(tables.events);

/**
 * The page after an event begins with that event itself, so that one statement shows whether the reader's position still exists: between two,
 * it could be deleted. Each combination of filters is prepared once.
 */
export function eventReads(db: DatabaseSync) {
  const prepared = new Map<string, StatementSync>();
  const latest = rowStatement(db, 'SELECT id, at FROM events ORDER BY id DESC LIMIT 1');
  const { list, select, fromRow } = eventTable;

  return {
    /** A search for types or keys, which no index has, looks at some events only. */
    listEvents(query: EventQuery): EventPage {
      const { limit, after, petId, types, keyIds, order = 'oldest' } = query;
      const values: SQLInputValue[] = [limit];
      const parameter = (value: SQLInputValue) => `?${values.push(value)}`;
      const isOneOf = (column: string, texts: readonly string[] | undefined) =>
        texts ? `${column} IN (SELECT value FROM json_each(${parameter(JSON.stringify(texts))}))` : 'true';
      const [follows, direction] = order === 'oldest' ? ['>', 'ASC'] : ['<', 'DESC'];
      const position = after && parameter(after.id);
      const range = [
        position ? `id ${follows} ${position}` : 'true',
        petId === undefined ? 'true' : `pet_id = ${parameter(petId)}`,
      ];
      const inOrder = `id ${direction}`;
      const following = (columns: string, limit: string) =>
        `SELECT ${columns} FROM events WHERE ${range.join(' AND ')} ORDER BY ${inOrder} LIMIT ${limit}`;
      const page = isSearch(query)
        ? searchStatement({
            select: following,
            columns: list.replace(', content', ''),
            order: inOrder,
            found: `CASE WHEN ${isOneOf('type', types)} AND ${isOneOf('key_id', keyIds)} THEN content END AS item`,
            ended: 'NULL',
            rows: SEARCHED_ROWS,
            limit: '?1',
            endsAtLast: true,
          })
        : following(list, '?1 + 1');
      const known = position ? `${select} WHERE id = ${position} UNION ALL ` : '';
      const sql = `${known}SELECT * FROM (${page})`;
      const statement = prepared.get(sql) ?? rowStatement(db, sql);
      prepared.set(sql, statement);
      const rows = statement.all(...values) as unknown as Row[];
      if (after && !isAt(rows.shift(), after)) throw cursorExpired();
      // Where a search has ended, there is no content.
      const ended = rows.find((row) => row.at(-1) === null);
      const found = rows.filter((row) => row !== ended);
      return eventPageOf(found.map(fromRow), limit, ended && fromRow(ended));
    },
    latestEvent(): EventPosition | undefined {
      const row = latest.get() as unknown as [bigint, bigint] | undefined;
      return row && { id: row[0], at: new Date(Number(row[1])) };
    },
  };
}

function isAt(row: Row | undefined, after: EventPosition): boolean {
  const known = row && eventTable.fromRow(row);
  return known?.id === after.id && known.at.getTime() === after.at.getTime();
}

/** Does not use `insertInto`, which is slower: every create waits for this. */
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
