import { AnimalStore } from '../../src/client/index.ts';
import { until } from './processes.ts';
import type { ClientRecord } from './record.ts';
import { compareWithEvents, eventKey, type FollowedEvents } from './verify.ts';

/** How long the events of the last writes may take to arrive. */
const CATCH_UP_SECONDS = 60;

/** A client that follows the change feed through every fault, like a program that keeps a copy of the inventory. */
export class Follower {
  readonly #seen = new Map<string, number>();
  readonly #abort = new AbortController();
  readonly #following: Promise<void>;
  #failure: unknown;

  /** Resolves when there is a first event to start from, so that no event of a later write is missed. */
  static async start(baseUrl: string, apiKey: string): Promise<Follower> {
    const store = new AnimalStore({ baseUrl, apiKey });
    await store.setCategory(1n, { name: 'Animals' });
    let first: string | undefined;
    await until('the first event', 30, async () => {
      first = (await store.listEvents({ limit: 1 })).items[0]?.id;
      return first !== undefined;
    });
    return new Follower(store, first);
  }

  private constructor(store: AnimalStore, after: string | undefined) {
    this.#following = this.#follow(store, after).catch((error) => {
      if (!this.#abort.signal.aborted) this.#failure = error;
    });
  }

  /** Waits for the events of everything that was acknowledged, and compares. Rejects if the client gave up. */
  async stop(record: ClientRecord): Promise<FollowedEvents> {
    const isComplete = async () =>
      this.#failure !== undefined || compareWithEvents(record, this.#seen).missing === 0;
    await until('the last event', CATCH_UP_SECONDS, isComplete).catch(() => {});
    this.#abort.abort();
    await this.#following;
    if (this.#failure !== undefined) throw this.#failure;
    return compareWithEvents(record, this.#seen);
  }

  async #follow(store: AnimalStore, after: string | undefined): Promise<void> {
    for await (const { type, pet, order } of store.events({ after }, { signal: this.#abort.signal })) {
      const key = eventKey(type, order?.id ?? pet?.id);
      this.#seen.set(key, (this.#seen.get(key) ?? 0) + 1);
    }
  }
}
