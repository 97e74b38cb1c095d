/** When a batch runs: at the end of the current callback, or after every I/O callback of the current tick. */
type Schedule = typeof process.nextTick | typeof setImmediate;

interface BatchOptions<T> {
  readonly schedule?: Schedule;
  /** The approximate size of a batch, in items unless `sizeOf` is given. The rest wait for the next tick. */
  readonly max?: number;
  readonly sizeOf?: (item: T) => number;
  /**
   * If the previous tick had only one item, runs the next one at the end of the current callback, without waiting for a batch.
   * Others of the same tick follow as a batch.
   */
  readonly loneAtOnce?: boolean;
}

/**
 * Collects the items added during one tick of the event loop and hands them to `run` together. Running each stage for
 * all of them back to back keeps the CPU caches warm, and lets them share a transaction or a system call.
 *
 * `run` may pass the last items of a batch to `postpone` instead of beginning them. They run in the next tick, so that other
 * work gets its turn.
 *
 * Guarantees: every item is run exactly once, in the order of `add`; an item added while a batch runs belongs to a later
 * batch; when `run` throws, later batches still run. By default a batch runs as soon as the current callback and
 * the promises it has settled are done (`process.nextTick`); with `setImmediate` it also waits for the other sockets
 * that are readable in this tick.
 */
export function batchPerTick<T>(
  run: (items: T[], postpone: (last: readonly T[]) => void) => void,
  {
    schedule = process.nextTick,
    max = Number.POSITIVE_INFINITY,
    sizeOf = () => 1,
    loneAtOnce = false,
  }: BatchOptions<T> = {},
): (item: T) => void {
  let waiting: T[] = [];
  let scheduled = false;
  /** Whether the first item of the current or the next tick does not wait for others. */
  let isLone = loneAtOnce;

  /** How many of the waiting items make a batch: at least one. */
  function countFitting(): number {
    if (max === Number.POSITIVE_INFINITY) return waiting.length;
    let [count, size] = [0, 0];
    while (count < waiting.length && size < max) size += sizeOf(waiting[count++] as T);
    return count;
  }

  function runBatch(): void {
    const batch = waiting.splice(0, countFitting());
    scheduled = waiting.length > 0;
    // Scheduled first: an exception in `run` must not strand the rest.
    if (scheduled) setImmediate(runBatch);
    if (loneAtOnce) isLone = batch.length === (isLone ? 0 : 1);
    if (batch.length > 0) run(batch, postpone);
  }

  const runLone = (item: T) => run([item], postpone);

  function postpone(last: readonly T[]): void {
    if (last.length === 0) return;
    waiting = [...last, ...waiting];
    if (!scheduled) setImmediate(runBatch);
    scheduled = true;
  }

  return (item) => {
    if (!scheduled) {
      scheduled = true;
      schedule(runBatch);
      if (isLone) {
        process.nextTick(runLone, item);
        return;
      }
    }
    waiting.push(item);
  };
}
