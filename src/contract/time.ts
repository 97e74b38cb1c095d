import * as v from 'valibot';

/** RFC 3339, to the millisecond. */
const TIME =
  /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** The latest time that RFC 3339 can write: a year has four digits. */
export const LATEST_TIME = new Date('9999-12-31T23:59:59.999Z');

/** The earliest time that every database can store. */
export const EARLIEST_TIME = new Date('0001-01-01T00:00:00.000Z');

const isInRange = (time: Date): boolean => time >= EARLIEST_TIME && time <= LATEST_TIME;

/** A time in milliseconds, as a cursor has it. */
export const isTimeMs = (text: string): boolean =>
  /^-?\d{1,15}$/.test(text) && isInRange(new Date(Number(text)));

/** A time in a response. */
export const time = (description: string) =>
  v.pipe(v.string(), v.isoTimestamp(), v.description(description), v.metadata({ format: 'date-time' }));

/** A time in a request, which must be in the future. */
export const futureTime = (description: string) =>
  v.pipe(
    v.string('must be text'),
    v.check(isTime, 'must be a time with its offset, such as 2027-01-31T18:00:00Z'),
    v.transform((text) => new Date(text)),
    v.check((given) => given.getTime() > Date.now(), 'must be in the future'),
    v.description(description),
    v.metadata({ type: 'string', format: 'date-time' }),
  );

export function isTime(text: string): boolean {
  const [, day] = TIME.exec(text) ?? [];
  return day !== undefined && isDay(day) && isInRange(new Date(text));
}

/** Date takes the 30th of February for the 2nd of March, and the 32nd of January for no date at all. */
function isDay(day: string): boolean {
  const midnight = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
}

const UNIT_MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const DURATION = /^([1-9]\d{0,4})([smhd])$/;

/** How long events are kept, unless the operator has chosen another time. */
export const EVENTS_KEPT_DAYS = 90;

export const DURATION_RULE = 'must be a time such as 90d, 12h or 30m';

/** A time such as `90d` in milliseconds; undefined if the text is none. */
export function durationMs(text: string): number | undefined {
  const [, count, unit] = DURATION.exec(text) ?? [];
  return count === undefined ? undefined : Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS];
}

/** A time that `durationMs` reads, in the largest unit that changes it by no more than 1 %. */
export function durationText(ms: number): string {
  const units = Object.entries(UNIT_MS).toReversed();
  const isExact = ([, unitMs]: [string, number]) =>
    Math.abs(Math.round(ms / unitMs) * unitMs - ms) <= ms / 100;
  const [unit, unitMs] = units.find(isExact) ?? ['s', UNIT_MS.s];
  return `${Math.max(1, Math.round(ms / unitMs))}${unit}`;
}
