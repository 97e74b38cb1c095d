import { type Family, merge, onlyCounters, render } from '../../metrics/family.ts';
import type { Metrics } from '../../metrics/metrics.ts';

/** A worker that takes longer is represented by its previous figures. */
const WORKER_MS = 2000;

/** A worker that can be asked for its metrics. */
export interface MeasuredWorker {
  collectMetrics(): Promise<readonly Family[]>;
}

/**
 * The metrics of all processes as those of one service. Counters never decrease: what was last seen of a worker that has
 * ended remains in the sums.
 */
export function scrapeAll(own: Metrics, running: () => Iterable<MeasuredWorker>): () => Promise<string> {
  const latest = new Map<MeasuredWorker, readonly Family[]>();
  let ended: Family[] = [];
  let current: Promise<string> | undefined;

  async function collect(worker: MeasuredWorker): Promise<void> {
    const late = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => late.resolve(undefined), WORKER_MS);
    const families = await Promise.race([worker.collectMetrics(), late.promise]);
    clearTimeout(timer);
    if (families) latest.set(worker, families);
  }

  async function scrape(): Promise<string> {
    const workers = new Set(running());
    const [mine] = await Promise.all([own.snapshot(), ...[...workers].map(collect)]);
    for (const [worker, families] of latest) {
      if (workers.has(worker)) continue;
      ended = merge([ended, onlyCounters(families)]);
      latest.delete(worker);
    }
    return render(merge([mine, ...latest.values(), ended]));
  }

  // Scrapes at the same time share one collection.
  return () => {
    current ??= scrape().finally(() => {
      current = undefined;
    });
    return current;
  };
}
