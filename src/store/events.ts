import { type EventFields, eventJson } from '../contract/event.ts';
import type { EventPage, StoredEvent } from './store.ts';

/** An event as a row of the table. */
export interface EventRow extends EventFields {
  readonly id: bigint;
  readonly petId?: bigint | undefined;
  readonly at: Date;
}

/** The first `limit` of the rows: one more shows that others follow. */
export function eventPageOf(rows: readonly EventRow[], limit: number): EventPage {
  const events = rows.slice(0, limit).map(({ id, at, petId, ...fields }): StoredEvent => {
    const position = { transaction: 0n, id, at };
    return { position, type: fields.type, petId, json: eventJson(position, fields) };
  });
  return { events, hasMore: rows.length > limit };
}
