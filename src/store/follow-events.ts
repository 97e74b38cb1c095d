import { setTimeout as sleep } from 'node:timers/promises';
import { type EventPosition, later } from '../contract/event-id.ts';
import type { Store, StoredEvent } from './store.ts';

/** How often the store is asked for new events. */
const POLL_MS = 100;

interface Following {
  readonly after: EventPosition | undefined;
  /** Only events of this animal and its orders. */
  readonly petId?: bigint | undefined;
  /** Events that are read at once, at most. */
  readonly limit: number;
  readonly signal?: AbortSignal;
}

/** The events after a position, as they happen, until the caller leaves. Yields an empty list when there was none for a moment. */
export async function* followEvents(
  store: Pick<Store, 'listEvents' | 'latestEvent'>,
  { after, petId, limit, signal }: Following,
): AsyncGenerator<readonly StoredEvent[]> {
  for (let position = after; !signal?.aborted; ) {
    const latest = petId === undefined ? undefined : await store.latestEvent();
    const { events, hasMore } = await store.listEvents({ limit, after: position, petId });
    yield events;
    position = events.at(-1)?.position ?? position;
    if (hasMore) continue;
    // Past the events of other animals, too: the one that it continues after must not be deleted.
    position = later(position, latest);
    await sleep(POLL_MS, undefined, { signal }).catch(() => {});
  }
}
