import type { FailureKind } from '../data/connection.ts';

const NAME_LENGTH = 60;

/** What went wrong, in a sentence for the person in the shop. */
export const failureText: Readonly<Record<FailureKind, string>> = {
  offline: 'You are offline.',
  unreachable: 'The service cannot be reached.',
  unavailable: 'The store is not available right now.',
  limited: 'There were too many requests.',
  failed: 'The service answered with an error.',
};

/** Embeddings, overrides and isolates: they would also turn round what follows the name, such as the digits of an id. */
const DIRECTIONS = /[\u202a-\u202e\u2066-\u2069]/g;

/** The beginning of a long name. */
export function cutName(name: string): string {
  const characters = [...name.replace(DIRECTIONS, '')];
  const isLong = characters.length > NAME_LENGTH;
  return isLong ? `${characters.slice(0, NAME_LENGTH - 1).join('')}…` : characters.join('');
}

/** A name that fits into a sentence, whichever direction it is written in. */
export const short = (name: string): string => `“\u2068${cutName(name)}\u2069”`;

const numbers = new Intl.NumberFormat('en');
/** A count with its thousands apart, exact at any size. */
export const count = (value: bigint | number): string => numbers.format(value);

export const counted = (value: bigint | number, one: string, many: string): string =>
  `${count(value)} ${BigInt(value) === 1n ? one : many}`;

const words = {
  available: 'Available',
  pending: 'Reserved',
  sold: 'Sold',
  removed: 'Removed',
  placed: 'Reserved',
  completed: 'Sold',
  cancelled: 'Cancelled',
  returned: 'Returned',
} as const;

export type Status = keyof typeof words;

/** One vocabulary: what waits is Reserved, whether it is the animal or its order. */
export const statusWord = <S extends Status>(status: S): (typeof words)[S] => words[status];
