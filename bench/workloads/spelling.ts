/**
 * The text with an upper-case letter for every bit of `number` that is set. A search ignores case, but a first page is cached for the query
 * as it was sent: another spelling is the same search, and is not answered from the cache.
 */
export function spell(text: string, number: number): string {
  let letters = 0;
  return text.replaceAll(/[a-z]/g, (letter) => ((number >> letters++) & 1 ? letter.toUpperCase() : letter));
}
