import { foldName, isAscii, isSearchText } from './name-key.ts';

/** Enough for every name: 1,000 syllables of Korean are 3,000 letters. A few characters have a much longer folded form. */
const FOLDED_CODE_POINTS = 3000;

/** The blocks of combining accents, which NFKD separates from Latin, Greek and Cyrillic letters. */
const ACCENTS = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/g;
/** Letters that NFKD does not decompose, with what people type who do not have them on their keyboard. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  Æ: 'AE',
  Ð: 'D',
  Đ: 'D',
  Ħ: 'H',
  Ł: 'L',
  Ø: 'O',
  Œ: 'OE',
  Þ: 'TH',
  Ŧ: 'T',
};
const SPECIAL_LETTERS = new RegExp(`[${Object.keys(PLAIN_LETTERS).join('')}]`, 'g');

/**
 * The form in which names and notes are searched: without differences of case, of compatible spelling and of accents. A part of a text
 * folds to a part of its folded form, so that a text is found by every part of it.
 */
export function foldText(text: string): string {
  if (isAscii(text)) return text.toUpperCase();
  const folded = foldName(text)
    .normalize('NFKD')
    .replaceAll(ACCENTS, '')
    .replaceAll(SPECIAL_LETTERS, (letter) => PLAIN_LETTERS[letter] ?? letter);
  return folded.length <= FOLDED_CODE_POINTS ? folded : [...folded].slice(0, FOLDED_CODE_POINTS).join('');
}

/** The different words of a text that is searched for, folded. A name matches if it contains each of them, in any order. */
export const searchWords = (text: string): string[] => [...new Set(foldText(text).match(/\S+/g))];

/** Whether a text can be searched for in names and notes. Without a word, such as one of accents alone, it would find everything. */
export const isPartText = (text: string): boolean => isSearchText(text) && searchWords(text).length > 0;
