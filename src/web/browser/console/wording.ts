import type { TroubleKind } from './connection.ts';

const NAME_LENGTH = 60;

/** What went wrong, in a sentence for the person in the shop. */
export const troubleText: Readonly<Record<TroubleKind, string>> = {
  offline: 'You are offline.',
  unreachable: 'The service cannot be reached.',
  unavailable: 'The store is not available right now.',
  limited: 'There were too many requests.',
  failed: 'The service answered with an error.',
};

/** Embeddings, overrides and isolates: they would also turn round what follows the name, such as the digits of an id. */
const DIRECTIONS = /[\u202a-\u202e\u2066-\u2069]/g;

/** A name that fits into a sentence, whichever direction it is written in. */
export function short(name: string): string {
  const characters = [...name.replace(DIRECTIONS, '')];
  const isLong = characters.length > NAME_LENGTH;
  const text = isLong ? `${characters.slice(0, NAME_LENGTH - 1).join('')}…` : characters.join('');
  return `“\u2068${text}\u2069”`;
}

const numbers = new Intl.NumberFormat('en');
/** A count with its thousands apart, exact at any size. */
export const count = (value: bigint): string => numbers.format(value);

const times = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });
export const timeOfDay = (date: Date): string => times.format(date);

const dates = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});
export const dateAndTime = (iso: string): string => dates.format(new Date(iso));

const labels: Readonly<Record<string, string>> = {
  available: 'Available',
  pending: 'Pending',
  sold: 'Sold',
  placed: 'Open',
  completed: 'Completed',
  cancelled: 'Cancelled',
};
export const statusLabel = (status: string): string => labels[status] ?? status;
