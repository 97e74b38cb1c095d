import { ApiError } from '../../contract/errors.ts';
import { type Family, merge, onlyCounters, render } from '../../metrics/family.ts';
import type { Metrics } from '../../metrics/metrics.ts';
import type { ToPrimary, ToWorker } from './messages.ts';

/** A worker that takes longer is represented by its previous figures. */
const WORKER_MS = 2000;

/** A worker that can be asked for its metrics. */
interface MeasuredWorker {
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

const PRIMARY_MS = 5000;

/** Gives the primary the metrics of this worker, and gets those of all processes from it. */
export function scrapeThroughPrimary(metrics: Metrics): () => Promise<string> {
  const waiting = new Map<number, (text: string) => void>();
  let lastId = 0;
  const send = (message: ToPrimary) => process.send?.(message, undefined, {}, () => {});
  process.on('message', (message: ToWorker) => {
    if (message === 'collect')
      void metrics.snapshot().then((families) => process.connected && send({ metrics: families }));
    else if (typeof message === 'object' && 'text' in message) waiting.get(message.scrape)?.(message.text);
  });
  return async () => {
    const id = ++lastId;
    const text = Promise.withResolvers<string>();
    const fail = () => text.reject(new ApiError('unavailable', 'The metrics cannot be collected.'));
    const timer = setTimeout(fail, PRIMARY_MS);
    waiting.set(id, text.resolve);
    if (process.connected) send({ scrape: id });
    else fail();
    try {
      return await text.promise;
    } finally {
      clearTimeout(timer);
      waiting.delete(id);
    }
  };
}
