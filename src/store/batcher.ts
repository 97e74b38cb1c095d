import { ApiError } from '../contract/errors.ts';

/** What became of one write of a batch. */
export type Outcome<R> =
  | { readonly ok: true; readonly value: R }
  | { readonly ok: false; readonly error: Error };

export interface Limits {
  readonly batch: number;
  readonly waiting: number;
  readonly timeoutMs: number;
  /** Whether a batch may leave before the last one is settled: for a queue on the way to another. */
  readonly overlap: boolean;
}

const defaults: Limits = { batch: 1000, waiting: 10_000, timeoutMs: 10_000, overlap: false };

interface Waiting<W, R> {
  readonly write: W;
  readonly settle: (outcome: Outcome<R>) => void;
}

/**
 * Lets writes that wait together share a commit: while one batch commits, the next gathers. A write settles only
 * after the commit that holds it, at the latest when `timeoutMs` have passed, and is refused at once when too
 * many wait already.
 */
export class Batcher<W, R> {
  readonly #commit: (writes: W[]) => Promise<Outcome<R>[]>;
  readonly #limits: Limits;
  #waiting: Waiting<W, R>[] = [];
  #running: Promise<void> | undefined;
  readonly #underWay = new Set<Promise<void>>();
  #committingSince = Number.POSITIVE_INFINITY;
  #closed = false;

  constructor(commit: (writes: W[]) => Promise<Outcome<R>[]>, limits: Partial<Limits> = {}) {
    this.#commit = commit;
    this.#limits = { ...defaults, ...limits };
  }

  add(write: W): Promise<R> {
    const refusal = this.#refusal();
    if (refusal) return Promise.reject(refusal);
    return new Promise((resolve, reject) => {
      const settle = (outcome: Outcome<R>) => {
        clearTimeout(timer);
        if (outcome.ok) resolve(outcome.value);
        else reject(outcome.error);
      };
      const waiting = { write, settle };
      const timer = setTimeout(() => this.#giveUp(waiting), this.#limits.timeoutMs);
      this.#waiting.push(waiting);
      this.#running ??= this.#run();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#running;
    await Promise.all(this.#underWay);
  }

  #refusal(): ApiError | undefined {
    if (this.#closed) return unavailable('The store is closed.');
    if (performance.now() - this.#committingSince > this.#limits.timeoutMs) {
      return unavailable('The store does not answer; nothing was written.');
    }
    if (this.#waiting.length >= this.#limits.waiting) return unavailable('Too many writes are waiting.');
    return undefined;
  }

  async #run(): Promise<void> {
    // What is asked for in the same turn of the event loop goes together from the start.
    await undefined;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, this.#limits.batch);
      if (this.#limits.overlap) {
        this.#letGo(batch);
        continue;
      }
      this.#committingSince = performance.now();
      const outcomes = await this.#outcomes(batch);
      this.#committingSince = Number.POSITIVE_INFINITY;
      this.#settle(batch, outcomes);
    }
    this.#running = undefined;
  }

  #letGo(batch: Waiting<W, R>[]): void {
    const settled = this.#outcomes(batch).then((outcomes) => {
      this.#settle(batch, outcomes);
      this.#underWay.delete(settled);
    });
    this.#underWay.add(settled);
  }

  #settle(batch: Waiting<W, R>[], outcomes: Outcome<R>[]): void {
    batch.forEach(({ settle }, index) => {
      settle(outcomes[index] ?? { ok: false, error: new Error('a write of the batch has no outcome') });
    });
  }

  async #outcomes(batch: Waiting<W, R>[]): Promise<Outcome<R>[]> {
    try {
      return await this.#commit(batch.map(({ write }) => write));
    } catch (error) {
      return batch.map(() => ({ ok: false, error: error as Error }));
    }
  }

  #giveUp(late: Waiting<W, R>): void {
    const place = this.#waiting.indexOf(late);
    if (place >= 0) {
      this.#waiting.splice(place, 1);
      late.settle({ ok: false, error: unavailable('The write waited too long; nothing was written.') });
    } else {
      const message = 'The write did not finish in time; it is not known whether it took effect.';
      late.settle({ ok: false, error: unavailable(message) });
    }
  }
}

const unavailable = (reason: string) => new ApiError('unavailable', `${reason} Try again in a moment.`);
