import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../config.ts';
import type { SharedWriter } from '../store/shared-writer.ts';
import type { Door } from './door.ts';
import { WorkerProcess } from './worker-process.ts';

/** A terminal signals all of us. So soon, a worker's signal may be one of ours that we have yet to see. */
const OWN_SIGNAL_MS = 250;
/** A worker that ends sooner has ended right after its start. */
const SETTLED_MS = 5000;
const SHORTEST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5000;

/** As many workers as are configured: whoever ends is replaced, until all are told to leave. */
export class Workers {
  readonly #config: Config;
  readonly #writer: SharedWriter | undefined;
  readonly #door: Door;
  readonly #log: FastifyBaseLogger;
  readonly #all = new Set<WorkerProcess>();
  #leaving = false;

  constructor(config: Config, writer: SharedWriter | undefined, door: Door, log: FastifyBaseLogger) {
    this.#config = config;
    this.#writer = writer;
    this.#door = door;
    this.#log = log;
  }

  /** Resolves when all serve. At the start, one that cannot is enough to give up. */
  async start(): Promise<void> {
    const first = Array.from({ length: this.#config.workers }, () => this.#fork());
    await Promise.all(first.map((worker) => worker.ready));
    for (const worker of first) void this.#keepPlace(worker);
  }

  /** Lets everyone in who is at the door, then all workers out. Rejects, behind the last, when one did not leave in order. */
  async leave(): Promise<void> {
    this.#leaving = true;
    const serving = [...this.#all].filter((worker) => worker.serves);
    await this.#door.close();
    for (const worker of this.#all) worker.leave();
    const ends = await Promise.all(serving.map((worker) => worker.gone));
    if (ends.some((end) => end !== 0)) throw new Error(`not every worker left in order: ${ends.join(', ')}`);
  }

  kill(): void {
    for (const worker of this.#all) worker.kill();
  }

  #fork(): WorkerProcess {
    const worker = new WorkerProcess(this.#config, this.#writer);
    this.#all.add(worker);
    void worker.gone.then(() => this.#all.delete(worker));
    return worker;
  }

  /** One worker after the other: the next comes at once, or, when one after the other ends early, behind a growing pause. */
  async #keepPlace(first: WorkerProcess): Promise<void> {
    let early = 0;
    for (let worker = first; !this.#leaving; worker = this.#fork()) {
      const since = performance.now();
      const end = await this.#work(worker);
      if (this.#leaving) return;
      early = performance.now() - since < SETTLED_MS ? early + 1 : 0;
      const pauseMs = early < 2 ? 0 : Math.min(SHORTEST_PAUSE_MS * 2 ** (early - 2), LONGEST_PAUSE_MS);
      this.#log.warn({ worker: worker.pid, end, pauseMs }, 'a worker is replaced');
      await sleep(pauseMs);
    }
  }

  /** Resolves when the worker takes no connections any more, with the reason. */
  async #work(worker: WorkerProcess): Promise<number | string> {
    try {
      await worker.ready;
    } catch (error) {
      return (error as Error).message;
    }
    this.#log.info({ worker: worker.pid }, 'a worker serves');
    this.#door.join(worker);
    const signalled = worker.signalled.then(() => sleep(OWN_SIGNAL_MS, 'signalled'));
    const end = await Promise.race([worker.gone, signalled]);
    // When all leave, a worker that was signalled too goes on taking connections until the last is taken.
    if (this.#leaving && end === 'signalled') return end;
    this.#door.part(worker);
    worker.leave();
    return end;
  }
}
