import { effect, type ReadonlySignal, signal, untracked } from '@preact/signals';
import { MAX_TIMER_MS, notify, runCall } from '../../../../client/call.ts';
import { type AnimalStore, AnimalStoreError } from '../../../../client/index.ts';
import type { Shop } from './shop.ts';

const POLL_MS = 4000;
/** While the stream reports every change, polling is only for what has no event, such as the last use of a key. */
const LIVE_POLL_MS = 30_000;
const LONGEST_MS = 30_000;
/** How long after a refusal the stream is tried again. */
const FOLLOW_AGAIN_MS = 10_000;
/** The next refresh waits for at least this many times as long as the last one took. */
const REST = 10;

interface SyncOptions {
  /** Whether a person may be looking. Nothing is loaded while the page is hidden. */
  readonly isVisible: ReadonlySignal<boolean>;
  readonly pollMs?: number;
}

/** Keeps the shop up to date: by the stream of events if the key may follow it, otherwise by polling every few seconds. */
export class Sync {
  readonly #shop: Shop;
  readonly #options: SyncOptions;
  /** Whether the stream is open and reports every change. */
  readonly isLive = signal(false);
  /** Whether the page polls instead, because the key may not follow the events or no stream comes through. */
  readonly isPolling = signal(false);
  /** When the next refresh is due, in milliseconds since 1970. */
  readonly dueAt = signal(0);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  #lastTook = 0;
  #running: Promise<boolean> | undefined;

  constructor(shop: Shop, options: SyncOptions) {
    this.#shop = shop;
    this.#options = options;
  }

  /** Returns a function that stops it. */
  start(): () => void {
    // The page itself starts the first load, which depends on its address.
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

  /** Loads now, and then every few seconds. */
  refresh(): Promise<void> {
    return this.run(() => this.#shop.refresh());
  }

  /** Runs a load, and shows if it fails. Whatever becomes of it, the next one is due. */
  async run(load: () => Promise<void>): Promise<void> {
    clearTimeout(this.#timer);
    const { api } = this.#shop;
    const begunAt = performance.now();
    const running = api.load('screen', load);
    this.#running = running;
    let isLoaded = false;
    try {
      isLoaded = await running;
    } finally {
      this.#failures = isLoaded ? 0 : this.#failures + 1;
      if (!api.signal.aborted && this.#running === running) {
        this.#lastTook = performance.now() - begunAt;
        this.#schedule();
      }
    }
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

  /** Follows the events until the page is hidden, the person signs out, or the service refuses it. */
  async #follow(client: AnimalStore, signal: AbortSignal): Promise<void> {
    const onLiveness = (isAlive: boolean) => {
      if (isAlive) this.isPolling.value = false;
      const begins = isAlive && !this.isLive.peek();
      this.isLive.value = isAlive;
      // Loads what has happened before the stream began.
      if (begins) void this.refresh();
    };
    for (;;) {
      try {
        for await (const event of client.events({}, { signal, onLiveness }))
          void notify(() => this.#shop.apply(event));
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
        // Meanwhile the page polls.
        const limits = { signal, timeoutMs: MAX_TIMER_MS, maxRetries: 0 };
        await runCall(limits, (call) => call.pause(FOLLOW_AGAIN_MS)).catch(() => {});
        if (signal.aborted) return;
      }
    }
  }
}
