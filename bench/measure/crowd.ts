import { fork } from 'node:child_process';
import { once } from 'node:events';
import { onCleanup } from '../cleanup.ts';
import type { TimedWrite } from './timed-writes.ts';

/** To connect them all, and then to answer them all. */
const TIMEOUT_MS = 60_000;

/** Many clients that send one `POST /pets/batch` each, all at once. */
export interface Crowd {
  readonly port: number;
  readonly batches: number;
  /** How many characters the names of the 100 animals of a batch have. */
  readonly nameLength: number;
  /** Every animal is in a category of its own, from this one on, and a last client creates a category; by default all are in one. */
  readonly firstCategoryId?: number;
}

/**
 * Connects the clients, in a process of their own, so that what they cost does not delay the process that measures. The
 * returned function lets them send.
 */
export async function gather(crowd: Crowd): Promise<() => Promise<readonly TimedWrite[]>> {
  const child = fork(`${import.meta.dirname}/crowd-process.ts`, [JSON.stringify(crowd)]);
  onCleanup(() => child.kill());
  const message = () => once(child, 'message', { signal: AbortSignal.timeout(TIMEOUT_MS) });
  await message();
  return async () => {
    child.send('go');
    const [writes] = (await message()) as [TimedWrite[]];
    child.disconnect();
    return writes;
  };
}
