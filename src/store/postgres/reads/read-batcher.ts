import { batchPerTick } from '../../../batch-per-tick.ts';
import { ApiError } from '../../../contract/errors.ts';
import { InFlight } from '../../batcher.ts';
import { unavailable } from '../errors.ts';

/** Maximum number of reads that wait or are under way. More are refused at once. */
const MAX_PENDING = 2000;
/** After this time the next batch no longer waits for the one that is under way. */
const SLOW_MS = 25;
/**
 * Iterations of the event loop in which a batch gathers more reads: one receives requests, and the next handles them, after
 * one for the answers to the last batch.
 */
const GATHER_ITERATIONS = 3;

/** Maximum number of animals in one batch. */
const MAX_ITEMS = 1000;
/** Approximate maximum of characters in its results. More would keep the event loop busy for too long. */
const MAX_SIZE = 500_000;

interface ReadBatcherOptions<Query, Result> {
  /** Reads all of them, in one round trip if it can. Returns the results in the order of the queries. */
  readonly read: (queries: readonly Query[]) => Promise<readonly Result[]>;
  /** Queries with equal keys have the same result. */
  readonly keyOf: (query: Query) => unknown;
  /** How many animals a query returns at most. */
  readonly itemsOf: (query: Query) => number;
  /** About how many characters a result has. */
  readonly sizeOf: (result: Result) => number;
}

interface PendingRead<Query, Result> extends PromiseWithResolvers<Result> {
  readonly query: Query;
}

/**
 * Lets reads share a round trip: those of one tick, and those that arrive while a batch is under way. Equal queries of
 * a batch are read once.
 *
 * Guarantees: a read is sent after it was requested, never answered by a statement that was sent before, so it sees
 * every write that was acknowledged by then, by this instance or another. The reads of a single client are sent at once.
 * The results of a batch are about as large as those of the last one, so a batch of large animals is small.
 * A slow batch delays later reads by `SLOW_MS` at most. When the server rejects a batch, each of its queries is read
 * alone, so that a damaged row fails only the reads that need it.
 */
export class ReadBatcher<Query, Result> {
  readonly #options: ReadBatcherOptions<Query, Result>;
  readonly #sendAtEndOfTick: (read: PendingRead<Query, Result>) => void;
  #waiting = new Map<unknown, PendingRead<Query, Result>>();
  /** The calls that the waiting reads answer, and those that the last batch answered. */
  #calls = 0;
  #lastCalls = 0;
  /** The batch that the waiting reads wait for. */
  #underWay: object | undefined;
  #isGathering = false;
  /** Maximum number of animals in the next batch: fewer if those of the last one were large. */
  #maxItems = MAX_ITEMS;
  readonly #pending = new InFlight(MAX_PENDING);

  constructor(options: ReadBatcherOptions<Query, Result>) {
    this.#options = options;
    this.#sendAtEndOfTick = batchPerTick(() => this.#sendSoon());
  }

  add(query: Query): Promise<Result> {
    if (this.#pending.isClosed) return Promise.reject(unavailable('The store is closed.'));
    this.#calls++;
    const key = this.#options.keyOf(query);
    const equal = this.#waiting.get(key);
    if (equal) return equal.promise;
    if (this.#pending.isFull) return Promise.reject(unavailable('Too many reads are waiting.'));
    this.#pending.start();
    const read = { query, ...Promise.withResolvers<Result>() };
    this.#waiting.set(key, read);
    this.#sendAtEndOfTick(read);
    return read.promise;
  }

  /** Resolves when every accepted read is settled; accepts no more. */
  close(): Promise<void> {
    return this.#pending.close();
  }

  /**
   * When several clients shared the last batch, others are probably about to ask, so the batch waits for the requests
   * that the event loop receives meanwhile.
   */
  #sendSoon(): void {
    if (this.#underWay || this.#isGathering) return;
    if (this.#lastCalls <= 1) this.#send();
    else this.#gather(GATHER_ITERATIONS);
  }

  #gather(iterations: number): void {
    this.#isGathering = iterations > 0;
    if (iterations === 0) this.#send();
    else setImmediate(() => this.#gather(iterations - 1));
  }

  #send(): void {
    if (this.#underWay || this.#waiting.size === 0) return;
    const batch = this.#takeWaiting();
    const finished = () => {
      clearTimeout(timer);
      if (this.#underWay !== batch) return;
      this.#underWay = undefined;
      this.#sendSoon();
    };
    const timer = setTimeout(finished, SLOW_MS);
    this.#underWay = batch;
    void this.#run(batch, finished);
  }

  #takeWaiting(): PendingRead<Query, Result>[] {
    const all = [...this.#waiting.values()];
    const batch = all.slice(0, this.#countFitting(all));
    // A new map: to delete from one costs 1 µs per read.
    this.#waiting = new Map(all.slice(batch.length).map((read) => [this.#options.keyOf(read.query), read]));
    this.#lastCalls = this.#calls;
    this.#calls = this.#waiting.size;
    return batch;
  }

  /** How many of the reads fit into a batch: at least one. */
  #countFitting(reads: readonly PendingRead<Query, Result>[]): number {
    let items = 0;
    for (const [count, { query }] of reads.entries()) {
      items += this.#options.itemsOf(query);
      if (items > this.#maxItems && count > 0) return count;
    }
    return reads.length;
  }

  async #run(batch: readonly PendingRead<Query, Result>[], finished: () => void): Promise<void> {
    try {
      const results = await this.#options.read(batch.map(({ query }) => query));
      this.#limitNext(batch, results);
      finished();
      for (const [i, { resolve }] of batch.entries()) resolve(results[i] as Result);
    } catch (error) {
      finished();
      await this.#fail(batch, error);
    }
    this.#pending.end(batch.length);
  }

  #limitNext(batch: readonly PendingRead<Query, Result>[], results: readonly Result[]): void {
    const { itemsOf, sizeOf } = this.#options;
    let [items, size] = [0, 0];
    for (const { query } of batch) items += itemsOf(query);
    for (const result of results) size += sizeOf(result);
    this.#maxItems = Math.min(MAX_ITEMS, (MAX_SIZE * items) / size);
  }

  /** A database that cannot be reached or is overloaded is not asked again. */
  async #fail(batch: readonly PendingRead<Query, Result>[], error: unknown): Promise<void> {
    if (batch.length === 1 || error instanceof ApiError) {
      for (const { reject } of batch) reject(error);
      return;
    }
    await Promise.all(
      batch.map(({ query, resolve, reject }) =>
        this.#options.read([query]).then(([result]) => resolve(result as Result), reject),
      ),
    );
  }
}
