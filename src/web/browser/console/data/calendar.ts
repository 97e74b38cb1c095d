import { computed, signal } from '@preact/signals';

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

const mondayOf = (day: Day): Day => addDays(day, -((utc(day).getUTCDay() + 6) % 7));

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
/** `17 November` */
export const dayAndMonth = (day: Day): string => `${dateOf(day)} ${month(day)}`;
/** `Tuesday 17` */
const weekdayAndDate = (day: Day): string => `${weekday(day)} ${dateOf(day)}`;
/** `Tuesday 17 November` */
export const longDate = (day: Day): string => `${weekdayAndDate(day)} ${month(day)}`;
/** `Tuesday 17 November 2026` */
export const fullDate = (day: Day): string => `${longDate(day)} ${yearOf(day)}`;
/** `17 Nov` */
export const shortDate = (day: Day): string => `${dateOf(day)} ${monthShort(day)}`;
/** `Tue 17 Nov` */
export const shortDateWithWeekday = (day: Day): string => `${weekdayShort(day)} ${shortDate(day)}`;

/* The clock. */

const MINUTE_MS = 60_000;
/**
 * The longest time between two readings of the device's clock. Timers do not run while a device sleeps, so this is how long the page may
 * show an old time after the device wakes.
 */
const LONGEST_WAIT_MS = 5_000;

/** The present time. It changes once a minute, on the minute, and therefore at midnight. A test may set it. */
export const now = signal(new Date());

interface ClockOptions {
  /** The document of the page. Browsers delay the timers of a hidden page, so the clock is read when the page is shown again. */
  readonly document?: EventTarget;
}

/** Keeps `now` at the time of the device, even if the device sleeps or its clock is set. Returns a function that stops it. */
export function startClock({ document }: ClockOptions = {}): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tick = (): void => {
    clearTimeout(timer);
    const present = Date.now();
    if (minuteOf(present) !== minuteOf(now.peek().getTime())) now.value = new Date(present);
    timer = setTimeout(tick, Math.min(MINUTE_MS - (present % MINUTE_MS), LONGEST_WAIT_MS));
  };
  tick();
  document?.addEventListener('visibilitychange', tick);
  return () => {
    clearTimeout(timer);
    document?.removeEventListener('visibilitychange', tick);
  };
}

const minuteOf = (time: number): number => Math.floor(time / MINUTE_MS);

/** Changes at midnight only: a row that says "today" is not drawn again every minute. */
const dayOfClock = computed(() => dayOf(now.value));

/** The day of the given moment, or of the page's clock. */
export const presentDay = (present?: Date): Day =>
  present === undefined ? dayOfClock.value : dayOf(present);

const timeFormat = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

/** `14:02` */
export const timeOfDay = (date: Date): string => timeFormat.format(date);

/* Periods. */

/** Includes both days, which are the same for a single day. */
export interface DayRange {
  readonly from: Day;
  readonly to: Day;
}

/** `week` is the present week, from Monday until today. */
export type Period = 'today' | 'week' | DayRange;

const NAMED = ['today', 'week'] as const;
/** More days would be too many sales for one page. */
const MOST_DAYS = 366;

/** The period that an address names, such as `week`, `2026-11-03` or `2026-11-03..2026-11-09`; undefined if it names none. */
export function periodFrom(text: string): Period | undefined {
  const named = NAMED.find((name) => name === text);
  if (named !== undefined) return named;
  const [first = '', last = first, ...more] = text.split('..');
  if (more.length > 0 || !isDay(first) || !isDay(last)) return undefined;
  return problemWithRange(first, last) === undefined ? { from: first, to: last } : undefined;
}

/** Why two days are not a valid period, for the person who has chosen them. */
export function problemWithRange(from: string, to: string): string | undefined {
  if (!isDay(from) || !isDay(to)) return 'Choose both days.';
  if (to < from) return 'The last day is before the first.';
  return daysBetween(from, to) < MOST_DAYS ? undefined : 'A year at most.';
}

/** The text that `periodFrom` reads. */
export function periodText(period: Period): string {
  if (typeof period === 'string') return period;
  const { from, to } = period;
  return from === to ? from : `${from}..${to}`;
}

/** The first and the last day of a period at the given moment, or by the page's clock. */
export function rangeOf(period: Period, present?: Date): DayRange {
  if (typeof period === 'object') return period;
  const today = presentDay(present);
  return { from: period === 'week' ? mondayOf(today) : today, to: today };
}

export interface Bounds {
  readonly from: Date;
  /** The first moment after the period. */
  readonly before: Date;
}

export function boundsOf(period: Period, present?: Date): Bounds {
  const { from, to } = rangeOf(period, present);
  return { from: startOf(from), before: startOf(addDays(to, 1)) };
}

/** The dates for print, where "today" would go out of date: `Monday 16 to Tuesday 17 November 2026`. */
export function periodTitle(period: Period, present?: Date): string {
  const { from, to } = rangeOf(period, present);
  if (from === to) return fullDate(from);
  if (yearOf(from) !== yearOf(to)) return `${fullDate(from)} to ${fullDate(to)}`;
  const isSameMonth = from.slice(0, 7) === to.slice(0, 7);
  return `${isSameMonth ? weekdayAndDate(from) : longDate(from)} to ${fullDate(to)}`;
}

/** The name of a file with rows of a period: `sales-2026-11-17.csv`, `sales-2026-11-16-to-2026-11-17.csv`. */
export function fileNameOf(what: string, period: Period, present?: Date): string {
  const { from, to } = rangeOf(period, present);
  return `${what}-${from === to ? from : `${from}-to-${to}`}.csv`;
}
