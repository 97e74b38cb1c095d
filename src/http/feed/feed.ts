import { setImmediate as nextTick, setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '../../contract/errors.ts';
import { type EventPosition, isAfter, later } from '../../contract/event-id.ts';
import { limits } from '../../contract/limits.ts';
import { shuttingDown } from '../../contract/transport-errors.ts';
import type { EventFilter, EventPage, Store } from '../../store/store.ts';
import type { BodySink, BodyStream } from '../answer.ts';
import { Frames, KEEP_ALIVE, RETRY } from './frames.ts';

/** How often the store is asked for new events. */
const POLL_MS = 100;
/** The delay before a failed read of the store is tried again. */
const RETRY_MS = 100;
const PAGE = 100;

/** The number of streams to which events are sent in one tick, which takes a few milliseconds: then other requests get their turn. */
const STREAMS_PER_TICK = 100;
/** How many pages are read at once for streams that catch up. Other reads, such as that of revoked keys, wait for no more than these. */
const CATCHING_UP = 2;

export interface StreamQuery extends EventFilter {
  /** The stream begins after this event; without it, with the next event. */
  readonly after?: EventPosition | undefined;
}

/**
 * Follows the events of the store for all streams of this process: an event is read and encoded once, for any number of streams.
 * Without streams, it does not read.
 */
export class EventFeed {
  readonly #store: Store;
  readonly #maxStreams: number;
  readonly #report: (error: unknown) => void;
  /** The id of the API key of each stream, oldest first, and of each that is being opened. */
  readonly #keys = new Map<EventStream | symbol, string>();
  readonly #catchUp = takeTurns(CATCHING_UP);
  /** The streams that have caught up with the feed. */
  readonly #live = new Set<EventStream>();
  /** The last event that was read and sent to the live streams. */
  position: EventPosition | undefined;
  #isFollowing = false;
  #isFailing = false;
  #isDraining = false;

  /** `report` receives the first error of each outage of the store, and why a stream could not be written to. */
  constructor(store: Store, connections: number, report: (error: unknown) => void) {
    this.#store = store;
    this.#maxStreams = Math.min(limits.streams, Math.ceil(connections * limits.shareOfStreams));
    this.#report = report;
  }

  /** Rejects with `cursor_expired`, or with `unavailable` if there are too many streams or during a shutdown. Each stream must be closed. */
  async open(keyId: string, { after, ...filter }: StreamQuery): Promise<EventStream> {
    this.#checkRoom(keyId);
    const opening = Symbol();
    this.#keys.set(opening, keyId);
    try {
      const latest = await this.#store.latestEvent();
      const from = after ?? latest;
      const page = await this.#catchUp(() => this.#page(from, filter));
      if (this.#isDraining) throw shuttingDown();
      const stream = new EventStream(this, { after: from, filter, latest, page });
      this.#keys.set(stream, keyId);
      return stream;
    } finally {
      this.#keys.delete(opening);
    }
  }

  /** Opens no more streams. */
  drain(): void {
    this.#isDraining = true;
  }

  /** Reads a page for one stream when its turn comes. Undefined if the page is not wanted by then. */
  read(
    after: EventPosition | undefined,
    filter: EventFilter,
    isWanted: () => boolean,
  ): Promise<EventPage | undefined> {
    return this.#catchUp(async () => (isWanted() ? this.#page(after, filter) : undefined));
  }

  /** Adds a stream that has every event up to `position`. False if the feed has sent later events to the others. */
  join(stream: EventStream, position: EventPosition | undefined): boolean {
    if (!this.#isFollowing) this.position = position;
    if (this.position && isAfter(this.position, position)) return false;
    this.#live.add(stream);
    if (!this.#isFollowing) void this.#follow();
    return true;
  }

  /** To be called when a stream has ended. */
  remove(stream: EventStream): void {
    this.#keys.delete(stream);
    this.#live.delete(stream);
  }

  /** One key cannot take all streams from the others. */
  #checkRoom(keyId: string): void {
    const most = Math.ceil(this.#maxStreams * limits.shareOfKey);
    if (this.#keys.size >= this.#maxStreams) throw tooManyStreams(`(${this.#maxStreams})`);
    if ([...this.#keys.values()].filter((owner) => owner === keyId).length >= most)
      throw tooManyStreams(`of this API key (${most})`);
  }

  #page(after: EventPosition | undefined, filter: EventFilter): Promise<EventPage> {
    return this.#store.listEvents({ ...filter, limit: PAGE, after });
  }

  /** Sends events to all streams as they happen, until no stream is left. */
  async #follow(): Promise<void> {
    this.#isFollowing = true;
    while (this.#live.size > 0) {
      try {
        const { events, next } = await this.#page(this.position, {});
        this.#isFailing = false;
        if (events.length > 0) await this.#sendToAll(new Frames(events));
        if (!next) await sleep(POLL_MS);
      } catch (error) {
        // The last stream has ended, such as when the service stops and its store is closed.
        if (this.#live.size === 0) break;
        this.#fail(error);
        if (this.#live.size > 0) await sleep(RETRY_MS);
      }
    }
    this.#isFollowing = false;
  }

  async #sendToAll(frames: Frames): Promise<void> {
    let sent = 0;
    for (const stream of this.#live) {
      this.#send(stream, frames);
      if (++sent % STREAMS_PER_TICK === 0) await nextTick();
    }
    // Set last, because a stream that joins during the loop gets these events as well.
    this.position = frames.last;
  }

  /** Ends a stream that cannot be written to: its client connects again and continues after the last event that it has received. */
  #send(stream: EventStream, frames: Frames): void {
    try {
      stream.send(frames);
    } catch (error) {
      this.#report(error);
      this.remove(stream);
      stream.end();
    }
  }

  /**
   * Keeps the streams open, because they continue when the store is back. If the events that follow have been deleted, removes all of
   * them, so that the feed begins again where the next stream does.
   */
  #fail(error: unknown): void {
    if (!this.#isFailing) this.#report(error);
    this.#isFailing = true;
    if (!(error instanceof ApiError && error.code === 'cursor_expired')) return;
    for (const stream of this.#live) {
      this.remove(stream);
      stream.end();
    }
  }
}

/** Where a stream begins. An undefined position is the one before the first event. */
interface Start {
  readonly after: EventPosition | undefined;
  readonly filter: EventFilter;
  /** The newest event, read before the page. */
  readonly latest: EventPosition | undefined;
  /** The first events after `after`. */
  readonly page: EventPage;
}

/**
 * The events after a position, as server-sent events. A stream first reads pages of what it has missed, as fast as its client
 * takes them; then it gets what the feed reads for all streams.
 */
export class EventStream implements BodyStream {
  readonly keepAlive = KEEP_ALIVE;
  readonly #feed: EventFeed;
  readonly #filter: EventFilter;
  /** Cleared when the stream opens, so that its page does not stay in memory. */
  #start: Start | undefined;
  /** Up to here, every event has been sent or is not wanted. */
  position: EventPosition | undefined;
  /** Undefined before it is open and after it is closed. */
  #sink: BodySink | undefined;

  constructor(feed: EventFeed, start: Start) {
    this.#feed = feed;
    this.#filter = start.filter;
    this.#start = start;
    this.position = start.after;
  }

  open(sink: BodySink): void {
    this.#sink = sink;
    sink.write(RETRY);
    const { page, latest } = this.#start as Start;
    this.#start = undefined;
    if (this.#take(page, latest)) return;
    // The client connects again, and the answer to that request says what is wrong.
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
    const bytes = frames.after(this.position, this.#filter);
    this.#advance(frames.last);
    if (bytes.length > 0) this.#sink?.write(bytes);
  }

  async #catchUp(sink: BodySink, latest: EventPosition | undefined): Promise<void> {
    for (let isDone = false; !isDone; ) {
      await sink.drained();
      latest = later(latest, this.#feed.position);
      const page = await this.#feed.read(this.position, this.#filter, () => this.#sink !== undefined);
      isDone = !page || this.#take(page, latest);
    }
  }

  /** Sends a page. `latest` was the newest event before the page was read. True when there is nothing more to read. */
  #take(page: EventPage, latest: EventPosition | undefined): boolean {
    if (page.events.length > 0) this.send(new Frames(page.events));
    // A stream that joins the feed after it was closed would never leave it.
    if (!this.#sink) return true;
    this.#advance(page.next ?? latest);
    if (page.next) return false;
    return this.#feed.join(this, this.position);
  }

  #advance(position: EventPosition | undefined): void {
    this.position = later(this.position, position);
  }
}

/** Runs at most `max` at once. The others wait, in the order of the calls. */
function takeTurns(max: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running < max) running++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}

const tooManyStreams = (which: string): ApiError =>
  new ApiError(
    'unavailable',
    `The limit of streams of events ${which} is reached. Try again later, or read the events in pages.`,
  );
