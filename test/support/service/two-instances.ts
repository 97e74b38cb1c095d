import type { TestContext } from 'node:test';
import { openStore } from '../../../src/store/open.ts';
import type { Store } from '../../../src/store/store.ts';

/** Two stores on one database, as two services have. They are closed when the test ends. */
export async function openTwoInstances(t: TestContext, url: string): Promise<readonly [Store, Store]> {
  const stores = [await openStore(url), await openStore(url)] as const;
  t.after(() => Promise.all(stores.map((store) => store.close())));
  return stores;
}

/** Calls `work` `count` times at once, alternating between the two stores. */
export const atOnce = <T>(
  stores: readonly [Store, Store],
  count: number,
  work: (store: Store, number: number) => Promise<T>,
): Promise<PromiseSettledResult<T>[]> =>
  Promise.allSettled(Array.from({ length: count }, (_, i) => work(stores[i % 2 === 0 ? 0 : 1], i)));

/** The outcomes of calls by their number: `ok`, or the code or name of the error. */
export function countOutcomes(results: readonly PromiseSettledResult<unknown>[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const result of results) {
    const outcome = result.status === 'fulfilled' ? 'ok' : codeOf(result.reason);
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error);
