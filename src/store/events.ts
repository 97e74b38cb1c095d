import { setTimeout as sleep } from 'node:timers/promises';
import { type EventFields, eventJson } from '../contract/event.ts';
import { type EventPosition, later } from '../contract/event-id.ts';
import type { EventFilter, EventPage, Store, StoredEvent } from './store.ts';

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

/** How often the store is asked for new events. */
const POLL_MS = 100;

interface Following extends EventFilter {
  readonly after: EventPosition | undefined;
  /** Maximum number of events that are read at once. */
  readonly limit: number;
  readonly signal?: AbortSignal;
}

/** The events after a position, as they happen, until the caller leaves. Yields an empty list when there was none for a moment. */
export async function* followEvents(
  store: Pick<Store, 'listEvents' | 'latestEvent'>,
  { after, limit, signal, ...filter }: Following,
): AsyncGenerator<readonly StoredEvent[]> {
  for (let position = after; !signal?.aborted; ) {
    const latest = hasFilter(filter) ? await store.latestEvent() : undefined;
    const { events, next } = await store.listEvents({ ...filter, limit, after: position });
    yield events;
    position = next ?? events.at(-1)?.position ?? position;
    if (next) continue;
    // Skips the events that are not wanted, too: an event that stays the position for long could be deleted.
    position = later(position, latest);
    await sleep(POLL_MS, undefined, { signal }).catch(() => {});
  }
}
