import { foldText } from '../../../../../contract/folded-text.ts';

const ID = /^#?(\d{1,19})$/;
const MAX_INT64 = 2n ** 63n - 1n;

/** The id that a text may mean: `12` or `#12`. */
export function idIn(text: string): bigint | undefined {
  const [, digits] = ID.exec(text.trim()) ?? [];
  const id = digits === undefined ? undefined : BigInt(digits);
  return id !== undefined && id <= MAX_INT64 ? id : undefined;
}

/** Whether a text contains another one, ignoring case and accents, as the service decides it. */
export const contains = (text: string, part: string): boolean => foldText(text).includes(foldText(part));
