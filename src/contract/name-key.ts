/** Long enough for every search text; short enough for an index entry of PostgreSQL, which has at most 2,704 bytes. */
const KEY_CODE_POINTS = 600;
/** The maximum size of a key in UTF-8. */
export const KEY_BYTES = 4 * KEY_CODE_POINTS;

/** The length of a text that is searched for, in code points. */
export const SEARCH_TEXT = { minLength: 1, maxLength: 200 };

const ASCII = /^[\x20-\x7e]*$/;
/** Text whose folded form is its upper case. */
export const isAscii = (text: string): boolean => ASCII.test(text);

/**
 * A name without differences of case and of compatible spelling (`ﬁ` and `fi`, full-width letters). Upper case is applied last:
 * unlike lower case, it does not depend on the position of a letter in its word.
 */
export function foldName(name: string): string {
  if (isAscii(name)) return name.toUpperCase();
  return name.normalize('NFKC').toLowerCase().toUpperCase().normalize('NFKC');
}

/** The stored form of a category's name, by which categories are found and ordered: its folded form, cut to a length that is indexable. */
export function nameKey(name: string): string {
  const folded = foldName(name);
  return folded.length <= KEY_CODE_POINTS ? folded : [...folded].slice(0, KEY_CODE_POINTS).join('');
}

/** Whether a text can be searched for at all. */
export function isSearchText(text: string): boolean {
  const { maxLength } = SEARCH_TEXT;
  if (text === '' || text.includes('\0') || !text.isWellFormed()) return false;
  return text.length <= 2 * maxLength && [...text].length <= maxLength;
}

/** Whether a text can be the beginning of a name that is searched for. A few characters have a very long folded form. */
export const isPrefixText = (text: string): boolean =>
  isSearchText(text) && [...foldName(text)].length <= KEY_CODE_POINTS;

/** The keys that begin with the folded text: `from` or greater, and below `to`, by code point. */
export function keyRange(text: string): { from: string; to: string } {
  const from = foldName(text);
  return { from, to: successor(from) };
}

/** The smallest text that is greater than every text that begins with `prefix`. */
function successor(prefix: string): string {
  const points = Array.from(prefix, (character) => character.codePointAt(0) as number);
  while (points.at(-1) === 0x10ffff) points.pop();
  const last = points.pop();
  // No text is greater than one that begins with the last code point, so 601 of it are greater than every key.
  if (last === undefined) return '\u{10ffff}'.repeat(KEY_CODE_POINTS + 1);
  return String.fromCodePoint(...points, last === 0xd7ff ? 0xe000 : last + 1);
}
