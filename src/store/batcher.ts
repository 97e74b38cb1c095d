import { batchPerTick } from '../batch-per-tick.ts';
import { ApiError } from '../contract/errors.ts';
import { InFlight } from './in-flight.ts';

/** The result of one write of a batch. */
export type Outcome<R> =
  | { readonly ok: true; readonly value: R }
  | { readonly ok: false; readonly error: Error };

export interface Limits {
  /** Writes in one batch at most. */
  readonly batch: number;
  /** Writes that wait or are being committed at most; beyond that, writes are refused at once. */
  readonly pending: number;
  readonly timeoutMs: number;
  /** A write that would probably wait longer, at the pace of the latest commit, is refused at once. */
  readonly waitMs: number;
  /** Batches that are committed at once. More than one only if the commits are queued again elsewhere. */
  readonly concurrent: number;
}

/** Receives events about the progress of writes and of maintenance. */
export interface WriteMonitor {
  /** From now on, `pending` returns how many writes wait or are being committed. */
  watch(pending: () => number): void;
  committed(writes: number, ms: number): void;
  maintenanceFailed(): void;
}

const defaults: Limits = { batch: 1000, pending: 10_000, timeoutMs: 10_000, waitMs: 5000, concurrent: 1 };

interface Pending<W, R> {
  readonly write: W;
  readonly settle: (outcome: Outcome<R>) => void;
}

/**
 * Lets writes share a commit: those of one tick, and those that arrive while the previous batch commits. A write settles
 * only after the commit that contains it, at the latest after `timeoutMs`. The number of pending writes is bounded,
 * also while `commit` hangs.
 */
export class Batcher<W, R> {
  readonly #commit: (writes: W[]) => Promise<Outcome<R>[]>;
  readonly #limits: Limits;
  readonly #monitor: WriteMonitor | undefined;
  readonly #collect: (pending: Pending<W, R>) => void;
  #waiting: Pending<W, R>[] = [];
  readonly #pending: InFlight;
  #latestCommitMs = 0;
  /** When each batch that is being committed was started, oldest first. */
  readonly #committing = new Set<{ readonly startedAt: number }>();

  constructor(
    commit: (writes: W[]) => Promise<Outcome<R>[]>,
    limits: Partial<Limits> = {},
    monitor?: WriteMonitor,
  ) {
    this.#commit = commit;
    this.#monitor = monitor;
    this.#limits = { ...defaults, ...limits };
    this.#pending = new InFlight(this.#limits.pending);
    monitor?.watch(() => this.#pending.count);
    this.#collect = batchPerTick((added) => {
      this.#waiting = this.#waiting.length === 0 ? added : this.#waiting.concat(added);
      this.#startBatches();
    });
  }

  add(write: W): Promise<R> {
    const refusal = this.#refusal();
    if (refusal) return Promise.reject(refusal);
    this.#pending.start();
    return new Promise((resolve, reject) => {
      const settle = (outcome: Outcome<R>) => {
        clearTimeout(timer);
        if (outcome.ok) resolve(outcome.value);
        else reject(outcome.error);
      };
      const pending = { write, settle };
      const timer = setTimeout(() => this.#timeOut(pending), this.#limits.timeoutMs);
      this.#collect(pending);
    });
  }

  /** Resolves when every accepted write is settled; accepts no more. */
  close(): Promise<void> {
    return this.#pending.close();
  }

  #refusal(): ApiError | undefined {
    if (this.#pending.isClosed) return unavailable('The store is closed.');
    const oldest = this.#committing.values().next().value;
    if (oldest && performance.now() - oldest.startedAt > this.#limits.timeoutMs) {
      return unavailable('The store does not respond; nothing was written.');
    }
    const { batch, concurrent, waitMs } = this.#limits;
    const expectedMs = (this.#pending.count / (batch * concurrent)) * this.#latestCommitMs;
    if (this.#pending.isFull || expectedMs > waitMs) {
      return unavailable('Too many writes are waiting; nothing was written.');
    }
    return undefined;
  }

  #startBatches(): void {
    while (this.#waiting.length > 0 && this.#committing.size < this.#limits.concurrent) {
      void this.#run(this.#waiting.splice(0, this.#limits.batch));
    }
  }

  async #run(batch: Pending<W, R>[]): Promise<void> {
    const committing = { startedAt: performance.now() };
    this.#committing.add(committing);
    const outcomes = await this.#outcomes(batch);
    this.#committing.delete(committing);
    this.#latestCommitMs = performance.now() - committing.startedAt;
    this.#monitor?.committed(batch.length, this.#latestCommitMs);
    this.#startBatches();
    batch.forEach(({ settle }, index) => {
      settle(outcomes[index] ?? { ok: false, error: new Error('a write of the batch has no outcome') });
    });
    this.#pending.end(batch.length);
  }

  async #outcomes(batch: Pending<W, R>[]): Promise<Outcome<R>[]> {
    try {
      return await this.#commit(batch.map(({ write }) => write));
    } catch (error) {
      return batch.map(() => ({ ok: false, error: error as Error }));
    }
  }

  #timeOut(late: Pending<W, R>): void {
    const index = this.#waiting.indexOf(late);
    if (index >= 0) {
      this.#waiting.splice(index, 1);
      late.settle({ ok: false, error: unavailable('The write waited too long; nothing was written.') });
      this.#pending.end();
    } else {
      const message = 'The write did not finish in time; it is not known whether it took effect.';
      late.settle({ ok: false, error: unavailable(message) });
    }
  }
}

const unavailable = (reason: string) => new ApiError('unavailable', `${reason} Try again in a moment.`);
