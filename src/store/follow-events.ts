import { setTimeout as sleep } from 'node:timers/promises';
import { type EventPosition, later } from '../contract/event-id.ts';
import { hasFilter } from './events.ts';
import type { EventFilter, Store, StoredEvent } from './store.ts';

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
