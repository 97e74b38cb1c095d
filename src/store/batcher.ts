import { ApiError } from '../contract/errors.ts';

/** What became of one write of a batch. */
export type Outcome<R> =
  | { readonly ok: true; readonly value: R }
  | { readonly ok: false; readonly error: Error };

export interface Limits {
  readonly batch: number;
  readonly waiting: number;
  readonly timeoutMs: number;
}

const defaults: Limits = { batch: 1000, waiting: 10_000, timeoutMs: 10_000 };

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
  #stuck = false;
  #closed = false;

  constructor(commit: (writes: W[]) => Promise<Outcome<R>[]>, limits: Partial<Limits> = {}) {
    this.#commit = commit;
    this.#limits = { ...defaults, ...limits };
  }

  add(write: W): Promise<R> {
    const refusal = this.#refusal();
    if (refusal) return Promise.reject(refusal);
    return new Promise((resolve, reject) => {
      const settle = (outcome: Outcome<R>) => (outcome.ok ? resolve(outcome.value) : reject(outcome.error));
      this.#waiting.push({ write, settle });
      this.#running ??= this.#run();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#running;
  }

  #refusal(): ApiError | undefined {
    if (this.#closed) return new ApiError('unavailable', 'The store is closed.');
    if (this.#stuck) return untried();
    if (this.#waiting.length >= this.#limits.waiting) {
      return new ApiError('unavailable', 'Too many writes are waiting. Try again in a moment.');
    }
    return undefined;
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, this.#limits.batch);
      const timer = setTimeout(() => this.#giveUp(batch), this.#limits.timeoutMs);
      const outcomes = await this.#outcomes(batch);
      clearTimeout(timer);
      this.#stuck = false;
      batch.forEach(({ settle }, index) => {
        settle(outcomes[index] ?? { ok: false, error: new Error('a write of the batch has no outcome') });
      });
    }
    this.#running = undefined;
  }

  async #outcomes(batch: Waiting<W, R>[]): Promise<Outcome<R>[]> {
    try {
      return await this.#commit(batch.map(({ write }) => write));
    } catch (error) {
      return batch.map(() => ({ ok: false, error: error as Error }));
    }
  }

  /** The commit hangs. Nobody waits for it longer, and nobody joins until it is over. */
  #giveUp(batch: Waiting<W, R>[]): void {
    this.#stuck = true;
    const unknown = new ApiError(
      'unavailable',
      'The write did not finish in time; it is not known whether it took effect.',
    );
    for (const { settle } of batch) settle({ ok: false, error: unknown });
    for (const { settle } of this.#waiting.splice(0)) settle({ ok: false, error: untried() });
  }
}

const untried = () =>
  new ApiError('unavailable', 'The store does not answer; nothing was written. Try again in a moment.');
