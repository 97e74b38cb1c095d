import { type EventFields, eventJson } from '../contract/event.ts';
import type { EventFilter, EventPage, StoredEvent } from './store.ts';

/** An event as a row of the table. */
export interface EventRow extends EventFields {
  readonly id: bigint;
  readonly petId?: bigint | undefined;
  readonly at: Date;
}

/** The page of the first `limit` rows; one row more shows that others follow. `stopped` is the row where a search has ended, if there may be more. */
export function eventPageOf(
  rows: readonly EventRow[],
  limit: number,
  stopped?: Pick<EventRow, 'id' | 'at'>,
): EventPage {
  const events = rows.slice(0, limit).map(({ id, at, petId, ...fields }): StoredEvent => {
    const position = { id, at };
    const { type, keyId } = fields;
    return { position, type, petId, keyId, json: eventJson(position, fields) };
  });
  const next = rows.length > limit ? events.at(-1)?.position : stopped && { id: stopped.id, at: stopped.at };
  return { events, next };
}

/** Whether no index finds the events that a filter wants, so that each has to be looked at. */
export const isSearch = ({ types, keyIds }: EventFilter): boolean =>
  types !== undefined || keyIds !== undefined;

export const hasFilter = (filter: EventFilter): boolean => filter.petId !== undefined || isSearch(filter);

export const isWanted = (event: StoredEvent, { petId, types, keyIds }: EventFilter): boolean =>
  (petId === undefined || event.petId === petId) &&
  (types === undefined || types.includes(event.type)) &&
  (keyIds === undefined || (event.keyId !== undefined && keyIds.includes(event.keyId)));
