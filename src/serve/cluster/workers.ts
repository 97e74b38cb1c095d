import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../../config.ts';
import type { Log } from '../../log.ts';
import type { SharedWriter } from '../../store/open-options.ts';
import type { Dispatcher } from './dispatcher.ts';
import { WorkerProcess } from './worker-process.ts';

/** A terminal signals every process. This soon after a worker's signal, the primary may not have received its own yet. */
const OWN_SIGNAL_MS = 250;
/** A worker that has served for less than this before it ended counts as one that failed to start. */
const STABLE_MS = 5000;
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 5000;

interface WorkersOptions {
  readonly config: Config;
  readonly writer: SharedWriter | undefined;
  readonly dispatcher: Dispatcher;
  readonly log: Log;
  /** The metrics of all processes as text, for a worker that is asked for them. */
  readonly scrape: () => Promise<string>;
}

/** Runs the configured number of workers and replaces those that end, until all are stopped. */
export class Workers {
  readonly #options: WorkersOptions;
  readonly #all = new Set<WorkerProcess>();
  #stopping = false;

  constructor(options: WorkersOptions) {
    this.#options = options;
  }

  /** Resolves when all are ready. At the start, one that fails fails all. */
  async start(): Promise<void> {
    const first = Array.from({ length: this.#options.config.workers }, () => this.#fork());
    await Promise.all(first.map((worker) => worker.ready));
    for (const worker of first) void this.#keepRunning(worker);
  }

  /** The workers that accept connections. */
  get running(): WorkerProcess[] {
    return [...this.#all].filter((worker) => worker.isReady);
  }

  /** Replaces no worker from now on. */
  stopReplacing(): void {
    this.#stopping = true;
  }

  /** Stops all gracefully. Rejects, after the last has ended, when one of them did not end well. */
  async stop(): Promise<void> {
    this.#stopping = true;
    const ready = [...this.#all].filter((worker) => worker.isReady);
    for (const worker of this.#all) worker.stop();
    const ends = await Promise.all(ready.map((worker) => worker.exited));
    if (ends.some((end) => end !== 0)) throw new Error(`workers ended with ${ends.join(', ')} instead of 0`);
  }

  kill(): void {
    for (const worker of this.#all) worker.kill();
  }

  #fork(): WorkerProcess {
    const worker = new WorkerProcess(this.#options);
    this.#all.add(worker);
    void worker.exited.then(() => this.#all.delete(worker));
    return worker;
  }

  /** Replaces the worker, and its successors, at once; after a growing pause when one after the other fails to start. */
  async #keepRunning(first: WorkerProcess): Promise<void> {
    let failures = 0;
    for (let worker = first; ; worker = this.#fork()) {
      const { end, servedMs } = await this.#run(worker);
      if (this.#stopping) return;
      failures = servedMs < STABLE_MS ? failures + 1 : 0;
      const pauseMs = failures < 2 ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** (failures - 2), MAX_PAUSE_MS);
      this.#options.log.warn({ worker: worker.pid, end, pauseMs }, 'worker replaced');
      await sleep(pauseMs);
      if (this.#stopping) return;
    }
  }

  /** Resolves when the worker accepts no more connections, with the reason. */
  async #run(worker: WorkerProcess): Promise<{ end: number | string; servedMs: number }> {
    try {
      await worker.ready;
    } catch (error) {
      return { end: (error as Error).message, servedMs: 0 };
    }
    const { dispatcher, log } = this.#options;
    const readyAt = performance.now();
    log.info({ worker: worker.pid }, 'worker ready');
    dispatcher.add(worker);
    const signalled = worker.signalled.then(() => sleep(OWN_SIGNAL_MS, 'signalled'));
    const end = await Promise.race([worker.exited, signalled]);
    // On shutdown, a worker that received the signal as well takes connections until the last one is handed over.
    if (!this.#stopping || end !== 'signalled') {
      dispatcher.remove(worker);
      worker.stop();
    }
    return { end, servedMs: performance.now() - readyAt };
  }
}
