/** Checks days and periods in the time zone of the process, and throws on the first one that is wrong. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import * as calendar from '../../../src/web/browser/console/data/calendar.ts';
import { dayTitle, groupByDay, moment } from '../../../src/web/browser/console/parts/words.ts';

const HOUR_MS = 3_600_000;
const zone = process.env.TZ ?? assert.fail('no time zone');

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

const dates = new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' });
const clock = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeStyle: 'short' });

fc.assert(
  fc.property(anyDate, fc.integer({ min: -800, max: 800 }), (date, days) => {
    const day = calendar.dayOf(date);
    const next = calendar.addDays(day, 1);
    const lastMoment = new Date(calendar.startOf(day).getTime() - 1);
    assert.equal(day, dates.format(date));
    assert.equal(calendar.timeOfDay(date), clock.format(date));
    assert.ok(
      calendar.startOf(day) <= date && date < calendar.startOf(next),
      'from its start to that of the next one',
    );
    assert.equal(calendar.dayOf(calendar.startOf(day)), day);
    assert.equal(
      calendar.dayOf(lastMoment),
      calendar.addDays(day, -1),
      'one moment earlier is the day before',
    );
    const noonOfNext = new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1, 12);
    assert.equal(next, calendar.dayOf(noonOfNext), 'the next day of the calendar');
    assert.equal(calendar.daysBetween(day, calendar.addDays(day, days)), days);

    assert.equal(dayTitle(day, date).title, 'Today');
    assert.equal(dayTitle(calendar.dayOf(lastMoment), date).title, 'Yesterday');
    assert.ok(moment(lastMoment.toISOString(), date).startsWith('yesterday at 23:59'));
    const groups = groupByDay([date, calendar.startOf(day), lastMoment], (one) => one.toISOString());
    const found = groups.map((group) => `${group.day} ${group.items.length}`);
    assert.deepEqual(found, [`${day} 2`, `${calendar.addDays(day, -1)} 1`]);

    const week = calendar.boundsOf('week', date);
    assert.equal(week.from.getDay(), 1, 'a week begins on Monday');
    assert.ok(calendar.daysBetween(calendar.rangeOf('week', date).from, day) < 7);
    assert.deepEqual(week.before, calendar.startOf(next));
    assert.deepEqual(calendar.boundsOf('today', date), {
      from: calendar.startOf(day),
      before: calendar.startOf(next),
    });
    const range = { from: calendar.addDays(day, -Math.abs(days)), to: day };
    assert.deepEqual(calendar.boundsOf(range, date), {
      from: calendar.startOf(range.from),
      before: calendar.startOf(next),
    });
  }),
  { numRuns: 500 },
);
