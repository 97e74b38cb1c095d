import type { Family } from './family.ts';
import { EventLoop, ProcessMetrics } from './process-metrics.ts';
import { RequestMetrics } from './request-metrics.ts';
import { WriteMetrics } from './write-metrics.ts';

type Source = () => readonly Family[] | Promise<readonly Family[]>;

/** All metrics of one process. */
export class Metrics {
  readonly requests = new RequestMetrics();
  readonly writes = new WriteMetrics();
  readonly eventLoop = new EventLoop();
  readonly #process = new ProcessMetrics(this.eventLoop);
  readonly #sources: Source[] = [];

  /** Adds what is looked up only when it is asked for. */
  add(source: Source): void {
    this.#sources.push(source);
  }

  async snapshot(): Promise<Family[]> {
    const added = await Promise.all(this.#sources.map((source) => source()));
    const own = [this.requests.families(), this.writes.families(), this.#process.families()];
    return [...own, ...added].flat();
  }
}
