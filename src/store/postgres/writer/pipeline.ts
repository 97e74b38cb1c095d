import type { PendingQuery, Row } from 'postgres';
import { isLockedOrBusy, SharedLockTimeout } from '../errors.ts';

/** A statement that is not sent yet. */
type Statement = PendingQuery<(Row & Iterable<Row>)[]>;

/**
 * The results of statements that are sent one after the other without waiting for the answers; undefined for one that is left out. When one fails,
 * those after it in the same transaction fail as well: the first failure is the reason. Settles when the server has answered all of them.
 * `locks` are the statements that take a lock which every write needs.
 */
export async function pipeline(
  queries: readonly (Statement | undefined)[],
  ...locks: readonly (Statement | undefined)[]
): Promise<(Row[] | undefined)[]> {
  // `execute` sends a statement now; otherwise the driver would wait until its result is asked for.
  for (const query of queries) query?.execute();
  const results: (Row[] | undefined)[] = [];
  for (const [i, answer] of (await Promise.allSettled(queries)).entries()) {
    if (answer.status === 'fulfilled') results.push(answer.value);
    else if (locks.includes(queries[i]) && isLockedOrBusy(answer.reason))
      throw new SharedLockTimeout('locked', { cause: answer.reason });
    else throw answer.reason;
  }
  return results;
}
