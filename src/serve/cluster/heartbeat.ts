import type { Log } from '../../log.ts';

/** How often a worker is asked for a sign of life. */
const BEAT_MS = 1000;
/** Beats without an answer after which a worker counts as hung. It is generous: a slow worker is better than none. */
const MAX_MISSED = 10;

/** A process that answers a `ping` as long as its event loop runs. */
export interface Supervised {
  readonly pid: number | undefined;
  ping(): void;
  kill(): void;
}

/**
 * Kills a worker whose event loop does not run: one in an endless loop, or one that was stopped.
 *
 * Only time in which this process itself ran is counted. A beat that comes late is none: the whole machine was suspended
 * or is overloaded, or this process was stopped, and the worker may not have had a chance to answer either.
 */
export class Heartbeat {
  readonly #worker: Supervised;
  readonly #log: Log;
  #timer: NodeJS.Timeout | undefined;
  #missed = 0;
  #answered = true;

  constructor(worker: Supervised, log: Log) {
    this.#worker = worker;
    this.#log = log;
  }

  start(): void {
    let previous = performance.now();
    this.#timer = setInterval(() => {
      const now = performance.now();
      const onTime = now - previous < 2 * BEAT_MS;
      previous = now;
      if (onTime) this.#beat();
    }, BEAT_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** The worker has answered the latest ping. */
  answer(): void {
    this.#answered = true;
    this.#missed = 0;
  }

  #beat(): void {
    if (this.#answered) {
      this.#answered = false;
      this.#worker.ping();
    } else if (++this.#missed === MAX_MISSED) {
      this.stop();
      const { pid: worker } = this.#worker;
      this.#log.error({ worker, silentMs: MAX_MISSED * BEAT_MS }, 'worker does not respond and is killed');
      // Nothing else ends a process that is stopped or never returns to its event loop.
      this.#worker.kill();
    }
  }
}
