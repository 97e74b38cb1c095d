import { randomInt } from 'node:crypto';

const NEXT = 100;
const RANDOM = 20;

/**
 * Identifiers to try for a new category, of which the first that is not used is taken: the next ones in a row and, because animals
 * may use all of these, some at random, which JavaScript clients can still represent.
 */
export function newCategoryIds(categories: number): bigint[] {
  const next = Array.from({ length: NEXT }, (_, i) => BigInt(categories + 1 + i));
  const random = Array.from({ length: RANDOM }, () => BigInt(randomInt(2 ** 32, 2 ** 47)));
  return [...next, ...random];
}
