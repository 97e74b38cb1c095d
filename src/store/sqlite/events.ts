import type { DatabaseSync } from 'node:sqlite';
import { type Author, cursorExpired, type EventType } from '../../contract/event.ts';
import type { EventPosition } from '../../contract/event-id.ts';
import { INT64_MAX } from '../../contract/int64.ts';
import { eventPageOf } from '../events.ts';
import type { EventPage, EventQuery } from '../store.ts';
import { tables } from '../tables.ts';
import { writeStatement } from './connection.ts';
import { defineTable, type Row, rowStatement } from './table.ts';

/** One writer commits one transaction after the other, so the ids are in the order of the commits. */
export const eventTable = defineTable(tables.events);

export function eventReads(db: DatabaseSync) {
  const select = (where: string, order: string) =>
    rowStatement(db, `${eventTable.select} WHERE ${where} ORDER BY ${order} LIMIT ?2`);
  const pages = { oldest: select('id > ?1', 'id'), newest: select('id < ?1', 'id DESC') };
  const histories = {
    oldest: select('pet_id = ?3 AND id > ?1', 'id'),
    newest: select('pet_id = ?3 AND id < ?1', 'id DESC'),
  };
  const exists = db.prepare('SELECT 1 FROM events WHERE id = ? AND at = ?');
  const newest = rowStatement(db, 'SELECT id, at FROM events ORDER BY id DESC LIMIT 1');

  return {
    listEvents({ limit, after, petId, order = 'oldest' }: EventQuery): EventPage {
      if (after && (after.transaction !== 0n || !exists.get(after.id, after.at.getTime())))
        throw cursorExpired();
      const start = after?.id ?? (order === 'oldest' ? 0n : INT64_MAX);
      const rows =
        petId === undefined
          ? pages[order].all(start, limit + 1)
          : histories[order].all(start, limit + 1, petId);
      return eventPageOf((rows as unknown as Row[]).map(eventTable.fromRow), limit);
    },
    latestEvent(): EventPosition | undefined {
      const row = newest.get() as unknown as [bigint, bigint] | undefined;
      return row && { transaction: 0n, id: row[0], at: new Date(Number(row[1])) };
    },
  };
}

/** Writes the event of a change; must be called inside its transaction. */
export type RecordEvent = (type: EventType, by: Author | undefined, content: string, petId?: bigint) => void;

/** Not by `insertInto`, which would take a third longer: every create waits for this. */
export function eventRecorder(db: DatabaseSync): RecordEvent {
  const insert = writeStatement(
    db,
    'INSERT INTO events (type, pet_id, at, key_id, key_name, content) VALUES (?, ?, ?, ?, ?, ?)',
  );
  return (type, by, content, petId) => {
    insert.run(type, petId ?? null, Date.now(), by?.keyId ?? null, by?.keyName ?? null, content);
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
