import { type EventPosition, eventId, isAfter } from '../../contract/event-id.ts';
import { hasFilter, isWanted } from '../../store/events.ts';
import type { EventFilter, StoredEvent } from '../../store/store.ts';

/** Server-sent events of the WHATWG HTML standard. */
export const EVENT_STREAM = 'text/event-stream';

/** Tells a browser how long to wait before it connects again. */
export const RETRY = Buffer.from('retry: 1000\n\n');

/** An empty comment. */
export const KEEP_ALIVE = Buffer.from(':\n\n');

/** Consecutive events, encoded once for all streams. */
export class Frames {
  readonly #events: readonly StoredEvent[];
  readonly #frames: readonly Buffer[];
  readonly #whole: Buffer;

  /** At least one event. */
  constructor(events: readonly StoredEvent[]) {
    this.#events = events;
    this.#frames = events.map(frameOf);
    this.#whole = Buffer.concat(this.#frames);
  }

  get last(): EventPosition {
    return (this.#events.at(-1) as StoredEvent).position;
  }

  /** The wanted events after a position, as one buffer; empty if there are none. */
  after(position: EventPosition | undefined, filter: EventFilter): Buffer {
    const [first] = this.#events as [StoredEvent];
    if (!hasFilter(filter) && isAfter(first.position, position)) return this.#whole;
    const isSent = (event: StoredEvent) => isAfter(event.position, position) && isWanted(event, filter);
    return Buffer.concat(this.#frames.filter((_, index) => isSent(this.#events[index] as StoredEvent)));
  }
}

/** The JSON has no line breaks, so one `data` line holds all of it. */
const frameOf = ({ position, type, json }: StoredEvent): Buffer =>
  Buffer.from(`id: ${eventId(position)}\nevent: ${type}\ndata: ${json}\n\n`);
