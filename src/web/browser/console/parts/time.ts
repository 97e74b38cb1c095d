import { computed } from '@preact/signals';
import type { Order } from '../../../../client/index.ts';
import {
  type Day,
  dayOf,
  daysBetween,
  fullDate,
  longDate,
  shortDate,
  shortDateWithWeekday,
  yearOf,
} from './calendar.ts';
import { now } from './clock.ts';

/*
 * The functions that compare with the present take it as an optional argument. Without it they read the clock of the page, so that a view
 * that shows their text is drawn again when the text changes.
 */

/** A reservation of this age in days, or older, is late: it has waited for more than three days. */
const LATE_DAYS = 4;

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

/** `14:02` */
export const timeOfDay = (date: Date): string => clock.format(date);

/** Changes at midnight only: a row that says "today" is not drawn again every minute. */
const dayOfClock = computed(() => dayOf(now.value));

/** The day of the given moment, or of the page's clock. */
export const presentDay = (present?: Date): Day =>
  present === undefined ? dayOfClock.value : dayOf(present);

/** The present day and time in full. */
export const today = (present: Date = now.value): string =>
  `${fullDate(dayOf(present))}, ${timeOfDay(present)}`;

/** The year is named when it is another one. */
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

/** When an order was reserved; undefined for a sale over the counter. */
export const reservedAt = ({ createdAt, completedAt }: Order): string | undefined =>
  createdAt === completedAt ? undefined : createdAt;

/** A moment in a sentence: `today at 14:02`, `yesterday at 17:48`, `on Friday 13 November at 09:30`. */
export function moment(iso: string, present?: Date): string {
  const date = new Date(iso);
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

/** How long ago something was, for what is recent; the day and time otherwise. */
export function ago(iso: string, present: Date = now.value): string {
  const minutes = Math.floor((present.getTime() - new Date(iso).getTime()) / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return minutes === 1 ? 'a minute ago' : `${minutes} minutes ago`;
  return moment(iso, present);
}

export interface Age {
  /** `today`, `yesterday`, `2 days` */
  readonly text: string;
  /** `14:02` for today and yesterday, `Thu 12 Nov, 11:08` for what is older. */
  readonly since: string;
  readonly isLate: boolean;
}

/** The age of a reservation in calendar days. A time that is ahead of this device's clock counts as today. */
export function age(iso: string, present?: Date): Age {
  const date = new Date(iso);
  const day = dayOf(date);
  const days = daysBetween(day, presentDay(present));
  const time = timeOfDay(date);
  if (days < 2) return { text: days === 1 ? 'yesterday' : 'today', since: time, isLate: false };
  const since = `${shortDateWithWeekday(day)}${otherYear(day, present)}, ${time}`;
  return { text: `${days} days`, since, isLate: days >= LATE_DAYS };
}
