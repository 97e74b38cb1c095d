import { batchPerTick } from '../batch-per-tick.ts';
import { ApiError } from '../contract/errors.ts';

/** The result of one write of a batch. */
export type Outcome<R> =
  | { readonly ok: true; readonly value: R }
  | {
      readonly ok: false;
      readonly error: Error;
      /** Whether nothing was done, and the write goes back into the queue unless its time is over. */
      readonly again?: boolean;
    };

export interface WriteMonitor {
  /** From now on, `pending` returns how many writes wait or are being committed. */
  watch(pending: () => number): void;
  committed(writes: number, ms: number): void;
  maintenanceFailed(): void;
}

const defaults = {
  /** Maximum weight of a batch. */
  batch: 1000,
  /** Maximum number of writes that wait or are being committed. More are refused at once. */
  pending: 10_000,
  timeoutMs: 10_000,
  /** A write that would probably wait longer, at the pace of the latest commit, is refused at once. One that has waited longer is not sent. */
  waitMs: 5000,
  /** A write is tried again for this long, after a random pause each time: another instance that is busy leaves only short gaps. */
  retryMs: 2000,
  pauseMs: 20,
};
export type Limits = Readonly<typeof defaults>;

/** How long a write that was committed is the proof that the next one can be. */
const PROOF_MS = 1000;

interface Pending<W, R> {
  readonly write: W;
  readonly weight: number;
  readonly addedAt: number;
  readonly settle: (outcome: Outcome<R>) => void;
  state: 'waiting' | 'committing' | 'settled';
}

/**
 * A queue of writes that share commits: those of one tick, and those that arrive while the previous batch commits. A write settles
 * after the commit that contains it, or after `timeoutMs` at the latest. The number of pending writes is bounded, even while `commit` hangs.
 */
export class Batcher<W, R> {
  readonly #commit: (writes: W[]) => Promise<Outcome<R>[]>;
  readonly #weightOf: (write: W) => number;
  readonly #isProof: (write: W, result: R) => boolean;
  readonly #limits: Limits;
  readonly #monitor: WriteMonitor | undefined;
  readonly #collect: (pending: Pending<W, R>) => void;
  #waiting: Pending<W, R>[] = [];
  readonly #pending: InFlight;
  #latestCommitMs = 0;
  #provenAt = Number.NEGATIVE_INFINITY;
  /** When the batch that is being committed was started. */
  #startedAt: number | undefined;

  constructor(
    commit: (writes: W[]) => Promise<Outcome<R>[]>,
    weightOf: (write: W) => number,
    isProof: (write: W, result: R) => boolean,
    limits: Partial<Limits> = {},
    monitor?: WriteMonitor,
  ) {
    this.#commit = commit;
    this.#weightOf = weightOf;
    this.#isProof = isProof;
    this.#monitor = monitor;
    this.#limits = { ...defaults, ...limits };
    this.#pending = new InFlight(this.#limits.pending);
    monitor?.watch(() => this.#pending.count);
    this.#collect = batchPerTick((added) => this.#enqueue(added));
  }

  add(write: W): Promise<R> {
    const refusal = this.#refusal();
    if (refusal) return Promise.reject(refusal);
    this.#pending.start();
    return new Promise((resolve, reject) => {
      const settle = (outcome: Outcome<R>) => {
        if (pending.state === 'settled') return;
        pending.state = 'settled';
        clearTimeout(timer);
        if (outcome.ok) resolve(outcome.value);
        else reject(outcome.error);
      };
      const pending: Pending<W, R> = {
        write,
        weight: this.#weightOf(write),
        addedAt: performance.now(),
        settle,
        state: 'waiting',
      };
      const timer = setTimeout(() => this.#timeOut(pending), this.#limits.timeoutMs);
      this.#collect(pending);
    });
  }

  /** Whether the latest writes are the proof that another one can be committed: then a readiness probe has nothing to find out. */
  get isProven(): boolean {
    return !this.#pending.isClosed && performance.now() - this.#provenAt < PROOF_MS;
  }

  /** Resolves when every accepted write is settled; accepts no more. */
  close(): Promise<void> {
    return this.#pending.close();
  }

  #refusal(): ApiError | undefined {
    if (this.#pending.isClosed) return unavailable('The store is closed.');
    const { batch, waitMs, timeoutMs } = this.#limits;
    if (this.#startedAt !== undefined && performance.now() - this.#startedAt > timeoutMs)
      return unavailable('The store does not respond; nothing was written.');
    if (this.#pending.isFull || (this.#pending.count / batch) * this.#latestCommitMs > waitMs)
      return unavailable('Too many writes are waiting; nothing was written.');
    return undefined;
  }

  #enqueue(writes: readonly Pending<W, R>[]): void {
    this.#waiting.push(...writes);
    this.#startBatch();
  }

  #startBatch(): void {
    if (this.#startedAt !== undefined) return;
    const batch = this.#take();
    if (batch.length > 0) void this.#run(batch);
  }

  /** Takes the writes that fit, in their order. Heavy ones fill four fifths of a batch at most, so that the others never wait for many of them. */
  #take(): Pending<W, R>[] {
    const { batch, waitMs } = this.#limits;
    const taken: Pending<W, R>[] = [];
    const waitedSince = performance.now() - waitMs;
    let weight = 0;
    this.#waiting = this.#waiting.filter((pending) => {
      if (pending.addedAt < waitedSince) this.#timeOut(pending);
      if (pending.state === 'settled') return false;
      const limit = pending.weight > 1 ? batch * 0.8 : batch;
      if (weight > 0 && weight + pending.weight > limit) return true;
      weight += pending.weight;
      pending.state = 'committing';
      taken.push(pending);
      return false;
    });
    return taken;
  }

  async #run(batch: Pending<W, R>[]): Promise<void> {
    const startedAt = performance.now();
    this.#startedAt = startedAt;
    const outcomes = await this.#outcomes(batch);
    this.#startedAt = undefined;
    this.#latestCommitMs = performance.now() - startedAt;
    this.#note(batch, outcomes);
    this.#startBatch();
    const again: Pending<W, R>[] = [];
    for (const [i, pending] of batch.entries()) {
      const outcome = outcomes[i] ?? { ok: false, error: new Error('a write of the batch has no outcome') };
      if (this.#mayRetry(pending, outcome)) again.push(pending);
      else this.#end(pending, outcome);
    }
    this.#monitor?.committed(batch.length - again.length, this.#latestCommitMs);
    if (again.length > 0) setTimeout(() => this.#enqueue(again), this.#limits.pauseMs * Math.random());
  }

  #note(batch: readonly Pending<W, R>[], outcomes: readonly Outcome<R>[]): void {
    if (outcomes.some(isFailure)) this.#provenAt = Number.NEGATIVE_INFINITY;
    else if (outcomes.some((one, i) => one.ok && this.#isProof((batch[i] as Pending<W, R>).write, one.value)))
      this.#provenAt = performance.now();
  }

  #mayRetry(pending: Pending<W, R>, outcome: Outcome<R>): boolean {
    if (outcome.ok || !outcome.again || pending.state === 'settled') return false;
    if (performance.now() - pending.addedAt >= this.#limits.retryMs) return false;
    pending.state = 'waiting';
    return true;
  }

  async #outcomes(batch: Pending<W, R>[]): Promise<Outcome<R>[]> {
    try {
      return await this.#commit(batch.map(({ write }) => write));
    } catch (error) {
      return batch.map(() => ({ ok: false, error: error as Error }));
    }
  }

  #timeOut(late: Pending<W, R>): void {
    if (late.state === 'settled') return;
    const isWaiting = late.state === 'waiting';
    const message = isWaiting
      ? 'The write waited too long; nothing was written.'
      : 'The write did not finish in time; it is not known whether it took effect.';
    const outcome = { ok: false, error: unavailable(message) } as const;
    // A write that is being committed stays pending until its batch has ended.
    if (isWaiting) this.#end(late, outcome);
    else late.settle(outcome);
  }

  #end(pending: Pending<W, R>, outcome: Outcome<R>): void {
    pending.settle(outcome);
    this.#pending.end();
  }
}

/** A write that was refused by a rule has not failed. */
const isFailure = (outcome: Outcome<unknown>): boolean =>
  !outcome.ok && !(outcome.error instanceof ApiError && outcome.error.code !== 'unavailable');

const unavailable = (reason: string) => new ApiError('unavailable', `${reason} Try again in a moment.`);

/** Counts what was accepted and has not ended, up to a bound, so that closing can wait for it. */
export class InFlight {
  readonly #max: number;
  #count = 0;
  #drained: PromiseWithResolvers<void> | undefined;

  constructor(max: number) {
    this.#max = max;
  }

  get count(): number {
    return this.#count;
  }

  get isFull(): boolean {
    return this.#count >= this.#max;
  }

  get isClosed(): boolean {
    return this.#drained !== undefined;
  }

  start(): void {
    this.#count++;
  }

  end(count = 1): void {
    this.#count -= count;
    if (this.#count === 0) this.#drained?.resolve();
  }

  /** Resolves when everything that was accepted has ended. */
  close(): Promise<void> {
    this.#drained ??= Promise.withResolvers();
    if (this.#count === 0) this.#drained.resolve();
    return this.#drained.promise;
  }
}
