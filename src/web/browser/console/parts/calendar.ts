/** A calendar day of this device, such as `2026-11-17`: sorts as text, and fits a date field and a file name. */
export type Day = string;

const DAY_MS = 24 * 60 * 60 * 1000;

/** In the years 1000 to 9998, all of which the service accepts in every time zone. */
const DAY = /^(?!9999)[1-9]\d{3}-\d\d-\d\d$/;

/** Whether a text is a day of the calendar: the 30th of February is not. */
export function isDay(text: string): text is Day {
  if (!DAY.test(text)) return false;
  const midnight = utc(text);
  return !Number.isNaN(midnight.getTime()) && addDays(text, 0) === text;
}

export function dayOf(date: Date): Day {
  const year = `${date.getFullYear()}`.padStart(4, '0');
  return `${year}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;
}

const twoDigits = (number: number): string => `${number}`.padStart(2, '0');

/**
 * The first moment of a day on this device: midnight, the earlier one where a clock change repeats it. Where a clock change skips midnight,
 * `Date` uses the offset from before the change, which leads to the moment of the change.
 */
export const startOf = (day: Day): Date => new Date(`${day}T00:00`);

/** Days are counted in UTC, where each of them has 24 hours. */
const utc = (day: Day): Date => new Date(`${day}T00:00Z`);

export const addDays = (day: Day, days: number): Day =>
  new Date(utc(day).getTime() + days * DAY_MS).toISOString().slice(0, 10);

/** By how many days `to` is later than `from`. */
export const daysBetween = (from: Day, to: Day): number => (utc(to).getTime() - utc(from).getTime()) / DAY_MS;

/** The Monday of the week that a day is in. */
export const mondayOf = (day: Day): Day => addDays(day, -((utc(day).getUTCDay() + 6) % 7));

/**
 * One word of a date. The words are joined here, because the punctuation of a whole date differs between browsers. They come from `en`: some
 * versions of `en-GB` shorten September to four letters.
 */
function wordOf(options: Intl.DateTimeFormatOptions): (day: Day) => string {
  const format = new Intl.DateTimeFormat('en', { ...options, timeZone: 'UTC' });
  return (day) => format.format(utc(day));
}
const weekday = wordOf({ weekday: 'long' });
const weekdayShort = wordOf({ weekday: 'short' });
const month = wordOf({ month: 'long' });
const monthShort = wordOf({ month: 'short' });
const dateOf = (day: Day): number => Number(day.slice(8));

/** `2026` */
export const yearOf = (day: Day): string => day.slice(0, 4);
/** `Tuesday 17` */
export const weekdayAndDate = (day: Day): string => `${weekday(day)} ${dateOf(day)}`;
/** `Tuesday 17 November` */
export const longDate = (day: Day): string => `${weekdayAndDate(day)} ${month(day)}`;
/** `Tuesday 17 November 2026` */
export const fullDate = (day: Day): string => `${longDate(day)} ${yearOf(day)}`;
/** `17 Nov` */
export const shortDate = (day: Day): string => `${dateOf(day)} ${monthShort(day)}`;
/** `Tue 17 Nov` */
export const shortDateWithWeekday = (day: Day): string => `${weekdayShort(day)} ${shortDate(day)}`;
