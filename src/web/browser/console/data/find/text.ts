import { foldText, searchWords } from '../../../../../contract/folded-text.ts';
import { isInt64 } from '../../parts/int64.ts';

const ID = /^#?(\d{1,19})$/;

/** The id that a text may mean: `12` or `#12`. */
export function idIn(text: string): bigint | undefined {
  const [, digits] = ID.exec(text.trim()) ?? [];
  const id = digits === undefined ? undefined : BigInt(digits);
  return id !== undefined && isInt64(id) ? id : undefined;
}

/** Whether a text contains every word that is searched for, ignoring case and accents, as the service decides it. */
export function contains(text: string, searched: string): boolean {
  const folded = foldText(text);
  return searchWords(searched).every((word) => folded.includes(word));
}
