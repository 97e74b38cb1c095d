import { randomBytes } from 'node:crypto';

/**
 * Columns with identifiers that are or were in use: removed animals can be restored, and the history mentions removed categories. Those that are the
 * easiest to fill come first.
 */
const USED_IDS = ['pets.category_id', 'removed_pets.category_id', 'categories.id', 'former_category_ids.id'];

/** How many identifiers in use are skipped. Clients can fill them, so the cost of a new category must be bounded. */
const SKIPPED = 1000;
const FIRST_RANDOM = 2n ** 52n;

/**
 * A SELECT of `count` free identifiers: the next ones after the last assigned one, and then, if too many of those are in use, others from `random` on.
 * It stops at the last one that it needs. By the `min` of a range, PostgreSQL asks the index for one entry, whatever the statistics of the table are.
 */
export function freeCategoryIds(count: string, random: string, alsoUsedIn: readonly string[] = []): string {
  const used = [...USED_IDS, ...alsoUsedIn].map((name) => {
    const [table, column] = name.split('.');
    return `(SELECT min(${column}) FROM ${table} WHERE ${column} BETWEEN candidates.id AND candidates.id)`;
  });
  return `
    WITH RECURSIVE candidates (id, place) AS (
      SELECT coalesce((SELECT last FROM category_counter WHERE id = 1), 0) + 1, 1
      UNION ALL
      SELECT CASE WHEN place = ${SKIPPED} + ${count} THEN ${random} ELSE id + 1 END, place + 1 FROM candidates
      WHERE place < 2 * (${SKIPPED} + ${count}))
    SELECT id FROM candidates WHERE coalesce(${used.join()}) IS NULL LIMIT ${count}`;
}

/** Where random identifiers begin. Beyond 2^53, JavaScript clients lose precision. */
export const randomCategoryId = (): bigint =>
  FIRST_RANDOM + BigInt.asUintN(51, randomBytes(8).readBigUInt64LE());

/** The last assigned identifier, after which the next one is looked for: random ones do not count. */
export const lastAssigned = (ids: readonly bigint[]): bigint | undefined =>
  ids.findLast((id) => id < FIRST_RANDOM);
