import {
  addDays,
  type Day,
  daysBetween,
  fullDate,
  isDay,
  longDate,
  mondayOf,
  startOf,
  weekdayAndDate,
  yearOf,
} from './calendar.ts';
import { presentDay } from './time.ts';

/** Both days are part of it. A single day is the first and the last one. */
export interface DayRange {
  readonly from: Day;
  readonly to: Day;
}

/** `week` is the present week, from Monday until today. */
export type Period = 'today' | 'yesterday' | 'week' | DayRange;

const NAMED = ['today', 'yesterday', 'week'] as const;
/** More days would be too many sales for one page. */
const MOST_DAYS = 366;

/** The period that an address names, such as `week`, `2026-11-03` or `2026-11-03..2026-11-09`; undefined if it names none. */
export function periodFrom(text: string): Period | undefined {
  const named = NAMED.find((name) => name === text);
  if (named !== undefined) return named;
  const [first = '', last = first, ...more] = text.split('..');
  if (more.length > 0 || !isDay(first) || !isDay(last)) return undefined;
  const [from, to] = first <= last ? [first, last] : [last, first];
  return daysBetween(from, to) < MOST_DAYS ? { from, to } : undefined;
}

/** What `periodFrom` reads. */
export function periodText(period: Period): string {
  if (typeof period === 'string') return period;
  const { from, to } = period;
  return from === to ? from : `${from}..${to}`;
}

/** The first and the last day of a period at the given moment, or by the page's clock. */
export function rangeOf(period: Period, present?: Date): DayRange {
  if (typeof period === 'object') return period;
  const today = presentDay(present);
  const last = period === 'yesterday' ? addDays(today, -1) : today;
  return { from: period === 'week' ? mondayOf(last) : last, to: last };
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

/** The dates on paper, where "today" would not last: `Monday 16 to Tuesday 17 November 2026`. */
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
