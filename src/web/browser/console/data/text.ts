import { foldText } from '../../../../contract/folded-text.ts';

const NAME_LENGTH = 60;

/** Embeddings, overrides and isolates. They would also reverse what follows the name, such as the digits of an id. */
const DIRECTIONS = /[\u202a-\u202e\u2066-\u2069]/g;

/** The beginning of a long name. */
function cutName(name: string): string {
  const characters = [...name.replace(DIRECTIONS, '')];
  const isLong = characters.length > NAME_LENGTH;
  return isLong ? `${characters.slice(0, NAME_LENGTH - 1).join('')}…` : characters.join('');
}

/** A name that fits into a sentence, written from left to right or from right to left. */
export const short = (name: string): string => `\u2068${cutName(name)}\u2069`;

/** The same in quotation marks, for anything but an animal. */
export const quoted = (name: string): string => `“${short(name)}”`;

const numbers = new Intl.NumberFormat('en');
/** A count with thousands separators, exact at any size. */
export const count = (value: bigint | number): string => numbers.format(value);

export const counted = (value: bigint | number, one: string, many: string): string =>
  `${count(value)} ${BigInt(value) === 1n ? one : many}`;

export const upperFirst = (text: string): string => (text[0]?.toUpperCase() ?? '') + text.slice(1);

/** One vocabulary: what waits is Reserved, whether it is the animal or its order. */
const STATUS_WORDS = {
  available: 'Available',
  pending: 'Reserved',
  sold: 'Sold',
  removed: 'Removed',
  placed: 'Reserved',
  completed: 'Sold',
  cancelled: 'Cancelled',
  returned: 'Returned',
} as const;

/** The state of an animal, or of an order. */
export type Status = keyof typeof STATUS_WORDS;

export const statusWord = <S extends Status>(status: S): (typeof STATUS_WORDS)[S] => STATUS_WORDS[status];

/** Whether a number can be an id, which has 64 bits. */
export const isInt64 = (value: bigint): boolean => BigInt.asIntN(64, value) === value;

const ID = /^#?(\d{1,19})$/;

/** The id that a text may mean: `12` or `#12`. */
export function idIn(text: string): bigint | undefined {
  const [, digits] = ID.exec(text.trim()) ?? [];
  const id = digits === undefined ? undefined : BigInt(digits);
  return id !== undefined && isInt64(id) ? id : undefined;
}

interface Named {
  readonly id: bigint;
  readonly name: string;
}

/** One language for every device, so that two tills show the same order. Numbers count by value; case and accents do not count. */
const names = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

export const compareIds = (a: bigint, b: bigint): number => (a === b ? 0 : a < b ? -1 : 1);

/** Orders by name as people do, `Kitten 2` before `Kitten 10`, and the same names by id. */
export const byName = (a: Named, b: Named): number => names.compare(a.name, b.name) || compareIds(a.id, b.id);

/** Orders what a search has found: the animal with this id or name, then names that begin with the text, then the rest, each by name. */
export function byMatch(text: string): (a: Named, b: Named) => number {
  const id = idIn(text);
  const wanted = foldText(text.trim());
  const rank = (of: Named): number => {
    const name = foldText(of.name);
    if (of.id === id || name === wanted) return 0;
    return name.startsWith(wanted) ? 1 : 2;
  };
  return (a, b) => rank(a) - rank(b) || byName(a, b);
}
