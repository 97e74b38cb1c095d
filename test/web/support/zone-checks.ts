/** Checks days and periods in the time zone of the process, and throws on the first one that is wrong. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import * as calendar from '../../../src/web/browser/console/data/calendar.ts';
import { dayTitle, groupByDay, moment } from '../../../src/web/browser/console/parts/words.ts';

const { addDays, boundsOf, dayOf, daysBetween, rangeOf, startOf, timeOfDay } = calendar;
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
    const day = dayOf(date);
    const next = addDays(day, 1);
    const lastMoment = new Date(startOf(day).getTime() - 1);
    assert.equal(day, dates.format(date));
    assert.equal(timeOfDay(date), clock.format(date));
    assert.ok(startOf(day) <= date && date < startOf(next), 'from its start to that of the next one');
    assert.equal(dayOf(startOf(day)), day);
    assert.equal(dayOf(lastMoment), addDays(day, -1), 'one moment earlier is the day before');
    const noonOfNext = new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1, 12);
    assert.equal(next, dayOf(noonOfNext), 'the next day of the calendar');
    assert.equal(daysBetween(day, addDays(day, days)), days);

    assert.equal(dayTitle(day, date).title, 'Today');
    assert.equal(dayTitle(dayOf(lastMoment), date).title, 'Yesterday');
    assert.ok(moment(lastMoment.toISOString(), date).startsWith('yesterday at 23:59'));
    const groups = groupByDay([date, startOf(day), lastMoment], (one) => one.toISOString());
    const found = groups.map((group) => `${group.day} ${group.items.length}`);
    assert.deepEqual(found, [`${day} 2`, `${addDays(day, -1)} 1`]);

    const week = boundsOf('week', date);
    assert.equal(week.from.getDay(), 1, 'a week begins on Monday');
    assert.ok(week.from <= date && daysBetween(rangeOf('week', date).from, day) < 7);
    assert.deepEqual(week.before, startOf(next));
    assert.deepEqual(boundsOf('today', date), { from: startOf(day), before: startOf(next) });
    const range = { from: addDays(day, -Math.abs(days)), to: day };
    assert.deepEqual(boundsOf(range, date), { from: startOf(range.from), before: startOf(next) });
  }),
  { numRuns: 500 },
);
