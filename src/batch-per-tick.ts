/** When a batch runs: at the end of the current callback, or after every I/O callback of the current tick. */
type Schedule = typeof process.nextTick | typeof setImmediate;

export interface BatchOptions {
  readonly schedule?: Schedule;
  /** Items in one batch at most; the rest wait for the next tick. */
  readonly max?: number;
}

/**
 * Collects the items added during one tick of the event loop and hands them to `run` together. Running each stage for
 * all of them back to back keeps the CPU caches warm, and lets them share a transaction or a system call.
 *
 * Guarantees: every item is run exactly once, in the order of `add`; an item added while a batch runs belongs to the
 * next batch; when `run` throws, later batches still run. By default a batch runs as soon as the current callback and
 * the promises it has settled are done (`process.nextTick`); with `setImmediate` it also waits for the other sockets
 * that are readable in this tick.
 */
export function batchPerTick<T>(
  run: (items: T[]) => void,
  { schedule = process.nextTick, max = Number.POSITIVE_INFINITY }: BatchOptions = {},
): (item: T) => void {
  let waiting: T[] = [];

  function runBatch(): void {
    const batch = waiting.length > max ? waiting.splice(0, max) : waiting;
    if (batch === waiting) waiting = [];
    // Scheduled first: an exception in `run` must not strand the rest.
    if (waiting.length > 0) setImmediate(runBatch);
    run(batch);
  }

  return (item) => {
    if (waiting.push(item) === 1) schedule(runBatch);
  };
}
