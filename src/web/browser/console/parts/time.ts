import type { Order } from '../../../../client/index.ts';

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long' });
const full = new Intl.DateTimeFormat('en-GB', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
});
const DAY_MS = 24 * 60 * 60 * 1000;

/** The present day and time in full. */
export const today = (now = new Date()): string => `${full.format(now)}, ${clock.format(now)}`;

export const timeOfDay = (date: Date): string => clock.format(date);

/** A calendar day of this device, as a key. */
export const dayOf = (date: Date): string => `${date.getFullYear()}-${date.getMonth() + 1}-${date.getDate()}`;

/** `Today`, `Yesterday`, or the date, and the rest of what is to say about the day. */
export function dayTitle(date: Date, now = new Date()): { title: string; more: string } {
  // The year is named when it is another one.
  const named = (date.getFullYear() === now.getFullYear() ? weekday : full).format(date);
  if (dayOf(date) === dayOf(now)) return { title: 'Today', more: named };
  if (dayOf(date) === dayOf(new Date(now.getTime() - DAY_MS))) return { title: 'Yesterday', more: named };
  return { title: named, more: '' };
}

/** Since when an order has its status; for one that was cancelled or returned, when it last changed. */
export const statusSince = ({ status, createdAt, updatedAt, completedAt = updatedAt }: Order): string =>
  ({ placed: createdAt, completed: completedAt, cancelled: updatedAt, returned: updatedAt })[status];

/** How long ago something was, for what is recent; the day and time otherwise. */
export function ago(iso: string, now = new Date()): string {
  const minutes = Math.floor((now.getTime() - new Date(iso).getTime()) / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return minutes === 1 ? 'a minute ago' : `${minutes} minutes ago`;
  return moment(iso);
}

/** A moment in a sentence: `today at 14:02`, `yesterday at 17:48`, `on Friday 13 November at 09:30`. */
export function moment(iso: string): string {
  const date = new Date(iso);
  const { title, more } = dayTitle(date);
  return `${more === '' ? `on ${title}` : title.toLowerCase()} at ${timeOfDay(date)}`;
}
