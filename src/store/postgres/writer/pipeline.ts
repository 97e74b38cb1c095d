import type { PendingQuery, Row } from 'postgres';

/** A statement that is not sent yet. */
type Statement = PendingQuery<(Row & Iterable<Row>)[]>;

/**
 * The results of statements that are sent one after the other without waiting for the answers; undefined for one that is left out. When one fails,
 * those after it in the same transaction fail as well: the first failure is the reason. Settles when the server has answered all of them.
 */
export async function pipeline(queries: readonly (Statement | undefined)[]): Promise<(Row[] | undefined)[]> {
  // `execute` sends a statement now; otherwise the driver would wait until its result is asked for.
  for (const query of queries) query?.execute();
  const results: (Row[] | undefined)[] = [];
  for (const answer of await Promise.allSettled(queries)) {
    if (answer.status === 'rejected') throw answer.reason;
    results.push(answer.value);
  }
  return results;
}
