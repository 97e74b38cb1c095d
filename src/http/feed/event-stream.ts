import { type EventPosition, eventId, isAfter, later } from '../../contract/event-id.ts';
import { hasFilter, isWanted } from '../../store/events.ts';
import type { EventFilter, EventPage, StoredEvent } from '../../store/store.ts';
import type { BodySink, BodyStream } from '../answer.ts';

/** Where a stream begins. A position that is undefined is the one before the first event. */
export interface Start {
  readonly after: EventPosition | undefined;
  /** Which of them are sent. */
  readonly filter: EventFilter;
  /** The newest event, read before the page. */
  readonly latest: EventPosition | undefined;
  /** The first events after `after`. */
  readonly page: EventPage;
}

/** What reads the events for all streams. */
export interface Feed {
  /** The last event that it has read and sent to the streams that have joined. */
  readonly position: EventPosition | undefined;
  /** Reads a page for one stream when it is its turn; undefined if it is not wanted by then. */
  read(
    after: EventPosition | undefined,
    filter: EventFilter,
    isWanted: () => boolean,
  ): Promise<EventPage | undefined>;
  /** Adds a stream that has everything up to `position`. False if the feed has sent more than that to others. */
  join(stream: EventStream, position: EventPosition | undefined): boolean;
  /** To be called when a stream has ended. */
  remove(stream: EventStream): void;
}

/**
 * The events after a position, as server-sent events. A stream first reads pages of what it has missed, as fast as its client
 * takes them; then it gets what the feed reads for all streams.
 */
export class EventStream implements BodyStream {
  readonly keepAlive = KEEP_ALIVE;
  readonly #feed: Feed;
  readonly #filter: EventFilter;
  /** Undefined once it is open: it would keep its page as long as the connection lasts. */
  #start: Start | undefined;
  /** Up to here, every event has been sent or is not wanted. */
  #position: EventPosition | undefined;
  /** Undefined before it is open and after it is closed. */
  #sink: BodySink | undefined;

  constructor(feed: Feed, start: Start) {
    this.#feed = feed;
    this.#filter = start.filter;
    this.#start = start;
    this.#position = start.after;
  }

  get position(): EventPosition | undefined {
    return this.#position;
  }

  open(sink: BodySink): void {
    this.#sink = sink;
    sink.write(RETRY);
    const { page, latest } = this.#start as Start;
    this.#start = undefined;
    if (this.#take(page, latest)) return;
    // The client connects again, and the answer to that says what is wrong.
    this.#catchUp(sink, latest).catch(() => sink.end());
  }

  close(): void {
    this.#sink = undefined;
    this.#feed.remove(this);
  }

  end(): void {
    this.#sink?.end();
  }

  send(frames: Frames): void {
    const bytes = frames.after(this.#position, this.#filter);
    this.#advance(frames.last);
    if (bytes.length > 0) this.#sink?.write(bytes);
  }

  async #catchUp(sink: BodySink, latest: EventPosition | undefined): Promise<void> {
    for (let isDone = false; !isDone; ) {
      await sink.drained();
      latest = later(latest, this.#feed.position);
      const page = await this.#feed.read(this.#position, this.#filter, () => this.#sink !== undefined);
      isDone = !page || this.#take(page, latest);
    }
  }

  /** Sends a page that shows everything that there was when `latest` was the newest event. True when nothing more is to be read. */
  #take(page: EventPage, latest: EventPosition | undefined): boolean {
    if (page.events.length > 0) this.send(new Frames(page.events));
    // What joins the feed after it was closed would never leave it.
    if (!this.#sink) return true;
    this.#advance(page.next ?? latest);
    if (page.next) return false;
    return this.#feed.join(this, this.#position);
  }

  #advance(position: EventPosition | undefined): void {
    this.#position = later(this.#position, position);
  }
}

/** Server-sent events of the WHATWG HTML standard. */
export const EVENT_STREAM = 'text/event-stream';

/** Tells a browser how long to wait before it connects again. */
const RETRY = Buffer.from('retry: 1000\n\n');

/** An empty comment. */
const KEEP_ALIVE = Buffer.from(':\n\n');

/** Events that follow one another, encoded once for all streams. */
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

/** JSON has no line breaks: one line holds all of it. */
const frameOf = ({ position, type, json }: StoredEvent): Buffer =>
  Buffer.from(`id: ${eventId(position)}\nevent: ${type}\ndata: ${json}\n\n`);
