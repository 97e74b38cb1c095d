/** Checks days and periods in the time zone of the process, and throws on the first one that is wrong. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  addDays,
  boundsOf,
  dayOf,
  daysBetween,
  rangeOf,
  startOf,
  timeOfDay,
} from '../../../src/web/browser/console/data/calendar.ts';
import { age, dayTitle, groupByDay, moment } from '../../../src/web/browser/console/parts/words.ts';

const HOUR_MS = 3_600_000;
const zone = process.env.TZ ?? '';

/** Days with their first moment and their length. */
const DAYS: Readonly<Record<string, readonly (readonly [day: string, start: string, hours: number])[]>> = {
  UTC: [['2026-11-17', '2026-11-17T00:00:00.000Z', 24]],
  'Europe/Berlin': [
    ['2026-03-29', '2026-03-28T23:00:00.000Z', 23],
    ['2026-10-25', '2026-10-24T22:00:00.000Z', 25],
  ],
  // The clock goes from 24:00 to 01:00, and from 24:00 back to 23:00.
  'America/Santiago': [
    ['2026-09-06', '2026-09-06T04:00:00.000Z', 23],
    ['2026-04-04', '2026-04-04T03:00:00.000Z', 25],
  ],
  // The clock goes from 01:00 back to 00:00: there are two midnights.
  'America/Havana': [['2026-11-01', '2026-11-01T04:00:00.000Z', 25]],
  'Asia/Kathmandu': [['2026-11-17', '2026-11-16T18:15:00.000Z', 24]],
  'Australia/Lord_Howe': [
    ['2026-10-04', '2026-10-03T13:30:00.000Z', 23.5],
    ['2026-04-05', '2026-04-04T13:00:00.000Z', 24.5],
  ],
};

for (const [day, start, hours] of DAYS[zone] ?? assert.fail(`no days of ${zone}`)) {
  assert.equal(startOf(day).toISOString(), start);
  assert.equal((startOf(addDays(day, 1)).getTime() - startOf(day).getTime()) / HOUR_MS, hours);
}

/** Every clock change of four years, to the hour. */
const offsetAt = (hour: number) => new Date(hour * HOUR_MS).getTimezoneOffset();
const changes = Array.from({ length: 4 * 366 * 24 }, (_, index) => Date.UTC(2024, 0) / HOUR_MS + index)
  .filter((hour) => offsetAt(hour) !== offsetAt(hour - 1))
  .map((hour) => hour * HOUR_MS);

const anyTime = fc.integer({ min: Date.UTC(2000, 0), max: Date.UTC(2100, 0) });
const nearChange = fc
  .tuple(fc.constantFrom(0, ...changes), fc.integer({ min: -50 * HOUR_MS, max: 50 * HOUR_MS }))
  .map(([change, distance]) => change + distance);
const anyDate = fc.oneof(anyTime, nearChange).map((ms) => new Date(ms));

const calendar = new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' });
const clock = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeStyle: 'short' });

fc.assert(
  fc.property(anyDate, fc.integer({ min: -800, max: 800 }), (date, days) => {
    const day = dayOf(date);
    const next = addDays(day, 1);
    assert.equal(day, calendar.format(date));
    assert.equal(timeOfDay(date), clock.format(date));

    assert.ok(
      startOf(day) <= date && date < startOf(next),
      'a day is from its start to that of the next one',
    );
    assert.equal(dayOf(startOf(day)), day);
    const lastMoment = new Date(startOf(day).getTime() - 1);
    assert.equal(dayOf(lastMoment), addDays(day, -1), 'one moment earlier is the day before');
    assert.equal(
      next,
      dayOf(new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1, 12)),
      'the next day of the calendar',
    );
    assert.equal(daysBetween(day, addDays(day, days)), days);

    assert.equal(dayTitle(day, date).title, 'Today');
    assert.equal(dayTitle(dayOf(lastMoment), date).title, 'Yesterday');
    assert.ok(moment(lastMoment.toISOString(), date).startsWith('yesterday at 23:59'));
    const groups = groupByDay([date, startOf(day), lastMoment], (one) => one.toISOString());
    assert.deepEqual(
      groups.map((group) => [group.day, group.items.length]),
      [
        [day, 2],
        [addDays(day, -1), 1],
      ],
    );
    // Noon is on every day, and never in a clock change.
    const noon = (count: number) => new Date(startOf(addDays(day, -count)).getTime() + 12 * HOUR_MS);
    const ages = [1, 3, 4].map((count) => Object.values(age(noon(count).toISOString(), date)));
    assert.deepEqual(
      ages.map(([text, , isLate]) => `${text} ${isLate}`),
      ['yesterday false', '3 days false', '4 days true'],
    );

    const week = boundsOf('week', date);
    assert.equal(week.from.getDay(), 1, 'a week begins on Monday');
    assert.ok(daysBetween(rangeOf('week', date).from, day) < 7);
    assert.deepEqual(week.before, startOf(next));
    assert.deepEqual(boundsOf('today', date), { from: startOf(day), before: startOf(next) });
  }),
  { numRuns: 500 },
);
