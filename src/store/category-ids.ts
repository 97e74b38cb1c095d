import { randomInt } from 'node:crypto';
import { ApiError } from '../contract/errors.ts';

/** Columns with identifiers that are or were in use: removed animals can be restored, and the history mentions removed categories. */
const CATEGORY_ID_COLUMNS = [
  'categories.id',
  'former_category_ids.id',
  'pets.category_id',
  'removed_pets.category_id',
] as const;

/** Beyond this, JavaScript clients lose precision. */
const GREATEST_ID = 2n ** 53n - 1n;
const RANDOM_VALUES = 2 ** 32;

/**
 * The sizes of the windows after the last assigned identifier in which `count` free ones in a row are looked for, after the greatest one in use
 * in the window: that takes one step in each index. The first window is just large enough. The others grow and are of random size: an identifier
 * in use blocks a window only if it is near its end, so that a client cannot block them all without filling them.
 */
export function windowSizes(count: number): bigint[] {
  const sizes = [BigInt(count)];
  for (let size = BigInt(count) * 64n; size < GREATEST_ID; size *= 8n)
    sizes.push(size + (size * BigInt(randomInt(RANDOM_VALUES))) / BigInt(RANDOM_VALUES));
  return sizes;
}

/** A SELECT of the first of `count` consecutive free identifiers; it returns no row if every window is blocked. `sizes` is a table with the column `size`. */
export function firstFreeId(sizes: string, count: string, alsoUsedIn: readonly string[] = []): string {
  const greatest = [...CATEGORY_ID_COLUMNS, ...alsoUsedIn].map((name) => {
    const [table = '', column = ''] = name.split('.');
    return `SELECT max(${column}) FROM ${table} WHERE ${column} > last AND ${column} <= until`;
  });
  return `
    WITH windows AS MATERIALIZED (
      SELECT last, CASE WHEN last + size < ${GREATEST_ID} THEN last + size ELSE ${GREATEST_ID} END AS until
      FROM (SELECT coalesce((SELECT last FROM category_counter), 0) AS last) AS counter, ${sizes})
    SELECT used + 1 FROM (
      SELECT until, (SELECT max(id) FROM (SELECT last AS id UNION ALL ${greatest.join(' UNION ALL ')}) AS found) AS used FROM windows
    ) AS searched WHERE used + ${count} <= until LIMIT 1`;
}

export const noCategoryId = () =>
  new ApiError('unavailable', 'No identifier was found for the new category; nothing was written.');
