import type { KeyScope, Order } from '../../../../client/index.ts';
import {
  type Day,
  dayAndMonth,
  dayOf,
  daysBetween,
  longDate,
  now,
  presentDay,
  shortDate,
  shortDateWithWeekday,
  timeOfDay,
  yearOf,
} from '../data/calendar.ts';
import { type Status, upperFirst } from '../data/text.ts';

/* Times. */

/*
 * The functions that compare with the present take it as an optional argument. Without it they read the clock of the page, so that a view
 * that shows their text is drawn again when the text changes.
 */

/** A reservation of this age in days, or older, is late: it has waited for more than three days. */
const LATE_DAYS = 4;

/** The year, unless it is the present one. */
const otherYear = (day: Day, present?: Date): string =>
  yearOf(day) === yearOf(presentDay(present)) ? '' : ` ${yearOf(day)}`;

/** `Today`, `Yesterday`, or the date, and for the first two the date as `more`. */
export function dayTitle(day: Day, present?: Date): { title: string; more: string } {
  const date = `${longDate(day)}${otherYear(day, present)}`;
  const age = daysBetween(day, presentDay(present));
  if (age === 0) return { title: 'Today', more: date };
  if (age === 1) return { title: 'Yesterday', more: date };
  return { title: date, more: '' };
}

/** Since when an order has its status; for one that was cancelled or returned, when it last changed. */
export const statusSince = ({ status, createdAt, updatedAt, completedAt = updatedAt }: Order): string =>
  ({ placed: createdAt, completed: completedAt, cancelled: updatedAt, returned: updatedAt })[status];

/** A moment in a sentence: `tomorrow at 15:10`, `today at 14:02`, `yesterday at 17:48`, `on Friday 13 November at 09:30`. */
export function moment(iso: string, present?: Date): string {
  const date = new Date(iso);
  if (daysBetween(presentDay(present), dayOf(date)) === 1) return `tomorrow at ${timeOfDay(date)}`;
  const { title, more } = dayTitle(dayOf(date), present);
  return `${more === '' ? `on ${title}` : title.toLowerCase()} at ${timeOfDay(date)}`;
}

/** A moment in a narrow column: `14:02` for today, `yesterday, 17:48`, `12 Nov, 10:20`, `12 Nov 2025, 10:20`. */
export function shortMoment(iso: string, present?: Date): string {
  const date = new Date(iso);
  const day = dayOf(date);
  const age = daysBetween(day, presentDay(present));
  if (age === 0) return timeOfDay(date);
  return `${age === 1 ? 'yesterday' : `${shortDate(day)}${otherYear(day, present)}`}, ${timeOfDay(date)}`;
}

/** How long ago something was, if it is recent; otherwise the day and time. */
export function ago(iso: string, present: Date = now.value): string {
  const minutes = Math.floor((present.getTime() - new Date(iso).getTime()) / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return minutes === 1 ? 'a minute ago' : `${minutes} minutes ago`;
  return moment(iso, present);
}

interface Age {
  /** `today`, `yesterday`, `2 days` */
  readonly text: string;
  /** `14:02` for today and yesterday, `Thu 12 Nov` for what is older. */
  readonly since: string;
  readonly isLate: boolean;
}

/** The age of a reservation in calendar days. A time that is ahead of this device's clock counts as today. */
export function age(iso: string, present?: Date): Age {
  const date = new Date(iso);
  const day = dayOf(date);
  const days = daysBetween(day, presentDay(present));
  if (days < 2) return { text: days === 1 ? 'yesterday' : 'today', since: timeOfDay(date), isLate: false };
  const since = `${shortDateWithWeekday(day)}${otherYear(day, present)}`;
  return { text: `${days} days`, since, isLate: days >= LATE_DAYS };
}

/** Items by the day on which they happened, in the order in which they are given. */
export function groupByDay<T>(
  items: readonly T[],
  timeOf: (item: T) => string,
): readonly {
  readonly day: Day;
  readonly title: string;
  readonly more: string;
  readonly items: readonly T[];
}[] {
  const groups = Map.groupBy(items, (item) => dayOf(new Date(timeOf(item))));
  return [...groups].map(([day, ofDay]) => ({ day, ...dayTitle(day), items: ofDay }));
}

/* States. */

/** Each state has a shape of its own: the class of the style sheet. Animals and orders in the same state look the same. */
const shapes = {
  available: 'available',
  pending: 'reserved',
  sold: 'sold',
  removed: 'removed',
  placed: 'reserved',
  completed: 'sold',
  cancelled: 'removed',
  returned: 'available',
} as const satisfies Record<Status, string>;

export const shapeOf = (status: Status) => shapes[status];

/* What keys may do, and until when. */

/** How many days before its end a key is marked. */
const SOON_DAYS = 14;

/** `on 3 December`, for a key that ends within two weeks; `today at 15:10` on its last day. */
export function endsSoon(expiresAt: string | undefined, present: Date = now.value): string | undefined {
  if (expiresAt === undefined) return undefined;
  const end = new Date(expiresAt);
  const day = dayOf(end);
  const days = daysBetween(dayOf(present), day);
  if (end <= present || days > SOON_DAYS) return undefined;
  return days === 0 ? `today at ${timeOfDay(end)}` : `on ${dateOf(day, present)}`;
}

/** `3 December`, with the year if it is another one. */
export const dateOf = (day: Day, present?: Date): string => `${dayAndMonth(day)}${otherYear(day, present)}`;

/** What a person chooses for a key. */
interface Role {
  readonly name: 'Till' | 'Look only' | 'Manager' | 'Everything';
  readonly scopes: readonly KeyScope[];
  readonly inShort: string;
  readonly about: string;
}

export const roles: readonly Role[] = [
  {
    name: 'Till',
    scopes: ['pets:read', 'store:write', 'events:read'],
    inShort: 'Till: sees, reserves and sells',
    about: 'Sees animals and orders, reserves and sells.',
  },
  {
    name: 'Look only',
    scopes: ['pets:read', 'store:read', 'events:read'],
    inShort: 'Look only',
    about: 'Sees animals and orders and changes nothing.',
  },
  {
    name: 'Manager',
    scopes: ['pets:write', 'store:write', 'events:read', 'metrics:read'],
    inShort: 'Manager: everything but keys',
    about: 'Does everything but make or revoke keys.',
  },
  {
    name: 'Everything',
    scopes: ['*'],
    inShort: 'Everything',
    about: 'Also makes, changes and revokes keys.',
  },
];

export const roleOf = (scopes: readonly KeyScope[]): Role | undefined =>
  roles.find((role) => new Set(role.scopes).symmetricDifference(new Set(scopes)).size === 0);

const scopeWords: Readonly<Record<KeyScope, string>> = {
  '*': 'does everything',
  'pets:read': 'sees animals',
  'pets:write': 'adds, edits and removes animals',
  'store:read': 'sees orders',
  'store:write': 'reserves and sells',
  'events:read': 'sees all activity',
  'metrics:read': 'sees the metrics of the service',
  'keys:read': 'sees keys',
  'keys:write': 'manages keys',
};

/** What a key may do, by its role, or scope by scope: `Sees animals, reserves and sells`. */
export const describeScopes = (scopes: readonly KeyScope[]): string =>
  roleOf(scopes)?.inShort ?? upperFirst(scopes.map((scope) => scopeWords[scope]).join(', '));
