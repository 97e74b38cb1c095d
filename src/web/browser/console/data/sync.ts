import { effect, type ReadonlySignal, signal, untracked } from '@preact/signals';
import { type AnimalStore, AnimalStoreError } from '../../../../client/index.ts';
import type { Shop } from './shop.ts';

const POLL_MS = 4000;
/** While every change is told, this is only for what cannot be told, such as a key that was used. */
const LIVE_POLL_MS = 30_000;
const LONGEST_MS = 30_000;
/** How long after a refusal the stream is tried again. */
const FOLLOW_AGAIN_MS = 10_000;
/** A timer that is asked to wait longer does not wait at all. */
const MAX_TIMER_MS = 2 ** 31 - 1;
/** A refresh that takes long is not repeated all the time. */
const REST = 10;

interface SyncOptions {
  /** Whether a person may be looking. Nothing is asked for while nobody is. */
  readonly isVisible: ReadonlySignal<boolean>;
  readonly pollMs?: number;
}

/** Keeps the shop in step with the service: by the stream of events for keys that may follow it, and by asking every few seconds. */
export class Sync {
  readonly #shop: Shop;
  readonly #options: SyncOptions;
  /** Whether every change is told. */
  readonly isLive = signal(false);
  /** Whether the page asks instead: the key may not follow the events, or no stream comes through. */
  readonly isPolling = signal(false);
  /** When the next refresh is due, in milliseconds since 1970. */
  readonly dueAt = signal(0);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  #lastTook = 0;
  #running: Promise<void> | undefined;

  constructor(shop: Shop, options: SyncOptions) {
    this.#shop = shop;
    this.#options = options;
  }

  /** Begins, and returns how to end it. */
  start(): () => void {
    // At first, the page loads what its address asks for.
    let isFirst = true;
    const stop = effect(() => {
      const { client, isRejected } = this.#shop.api;
      if (!this.#options.isVisible.value || isRejected.value) return undefined;
      const hidden = new AbortController();
      const signal = AbortSignal.any([hidden.signal, this.#shop.api.signal]);
      if (this.#shop.api.may('events:read')) void this.#follow(client, signal);
      untracked(() => (isFirst ? this.#schedule() : void this.refresh()));
      isFirst = false;
      return () => {
        hidden.abort();
        clearTimeout(this.#timer);
        this.isLive.value = false;
      };
    });
    return () => {
      stop();
      clearTimeout(this.#timer);
    };
  }

  /** Loads again now, and from then on every few seconds. */
  refresh(): Promise<void> {
    return this.run(() => this.#shop.refresh());
  }

  /** Runs something that loads, and shows when that fails. */
  async run(load: () => Promise<void>): Promise<void> {
    clearTimeout(this.#timer);
    const { signal } = this.#shop.api;
    const begunAt = performance.now();
    const running = this.#attempt(load);
    this.#running = running;
    await running;
    if (signal.aborted || this.#running !== running) return;
    this.#lastTook = performance.now() - begunAt;
    this.#schedule();
  }

  async #attempt(load: () => Promise<void>): Promise<void> {
    const isLoaded = await this.#shop.api.load('screen', load);
    this.#failures = isLoaded ? 0 : this.#failures + 1;
  }

  /** Waits longer after each failure, and as long as the service asks for. */
  #schedule(): void {
    clearTimeout(this.#timer);
    if (!this.#options.isVisible.peek() || this.#shop.api.isRejected.peek()) return;
    const every = this.isLive.peek()
      ? LIVE_POLL_MS
      : Math.max(this.#options.pollMs ?? POLL_MS, this.#lastTook * REST);
    const pause = Math.min(every * 2 ** this.#failures, Math.max(every, LONGEST_MS));
    const asked = this.#shop.api.connection.failure.peek()?.retryAfterMs ?? 0;
    const ms = Math.min(Math.max(pause, asked), MAX_TIMER_MS);
    this.dueAt.value = Date.now() + ms;
    this.#timer = setTimeout(() => {
      this.isPolling.value = !this.isLive.peek();
      void this.refresh();
    }, ms);
  }

  /** Follows the events until nobody looks any more, the person signs out, or the service refuses it. */
  async #follow(client: AnimalStore, signal: AbortSignal): Promise<void> {
    const onLiveness = (isAlive: boolean) => {
      if (isAlive) this.isPolling.value = false;
      const begins = isAlive && !this.isLive.peek();
      this.isLive.value = isAlive;
      // What has happened before the stream began is asked for.
      if (begins) void this.refresh();
    };
    for (;;) {
      try {
        for await (const event of client.events({}, { signal, onLiveness })) this.#shop.apply(event);
        return;
      } catch (error) {
        this.isLive.value = false;
        if (signal.aborted) return;
        this.#shop.api.observe(error, client);
        const isForbidden = error instanceof AnimalStoreError && [401, 403].includes(error.status);
        if (isForbidden) {
          this.isPolling.value = true;
          return;
        }
        // Meanwhile the page asks every few seconds.
        await pause(FOLLOW_AGAIN_MS, signal);
        if (signal.aborted) return;
      }
    }
  }
}

/** Ends early when it is aborted. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      done();
    });
  });
}
