import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { addDays } from '../../src/web/browser/console/parts/calendar.ts';
import {
  boundsOf,
  fileNameOf,
  type Period,
  periodFrom,
  periodText,
  periodTitle,
} from '../../src/web/browser/console/parts/period.ts';

/** Tuesday 17 November 2026, just after midnight in the time zone of the device. */
const PRESENT = new Date(2026, 10, 17, 0, 5);
const SUNDAY = new Date(2026, 10, 22, 23, 59);
const MONDAY = new Date(2026, 10, 23);

const anyDay = fc.integer({ min: 0, max: 30_000 }).map((days) => addDays('2000-01-01', days));
const anyPeriod: fc.Arbitrary<Period> = fc.oneof(
  fc.constantFrom('today', 'yesterday', 'week'),
  fc
    .tuple(anyDay, fc.integer({ min: 0, max: 365 }))
    .map(([from, days]) => ({ from, to: addDays(from, days) })),
);

describe('A period', () => {
  it('survives being written to an address', () => {
    fc.assert(fc.property(anyPeriod, (period) => assert.deepEqual(periodFrom(periodText(period)), period)));
  });

  it('is read from an address', () => {
    assert.deepEqual(periodFrom('2026-11-03'), { from: '2026-11-03', to: '2026-11-03' });
    const week = { from: '2026-11-03', to: '2026-11-09' };
    assert.deepEqual(periodFrom('2026-11-03..2026-11-09'), week);
    assert.deepEqual(periodFrom('2026-11-09..2026-11-03'), week, 'a reversed range is put right');
    assert.equal(periodText(week), '2026-11-03..2026-11-09');
    assert.equal(periodText({ from: '2026-11-03', to: '2026-11-03' }), '2026-11-03');
  });

  it('is not read from what names none', () => {
    const none = ['', 'month', 'Today', '2026-02-30', '2026-11-3', '2026-11-03..', '..2026-11-03', '..'];
    for (const text of [...none, '2026-11-03..x', '2026-11-03..2026-11-04..2026-11-05', 'toString'])
      assert.equal(periodFrom(text), undefined, text);
  });

  it('has at most 366 days', () => {
    assert.deepEqual(periodFrom('2024-01-01..2024-12-31'), { from: '2024-01-01', to: '2024-12-31' });
    assert.equal(periodFrom('2024-01-01..2025-01-01'), undefined);
    assert.equal(periodFrom('2025-01-01..2024-01-01'), undefined);
  });

  it('is from the first moment of its first day to the end of its last one', () => {
    const cases: [Period, Date, Date, Date][] = [
      ['today', PRESENT, new Date(2026, 10, 17), new Date(2026, 10, 18)],
      ['yesterday', PRESENT, new Date(2026, 10, 16), new Date(2026, 10, 17)],
      ['week', PRESENT, new Date(2026, 10, 16), new Date(2026, 10, 18)],
      ['week', SUNDAY, new Date(2026, 10, 16), new Date(2026, 10, 23)],
      ['week', MONDAY, new Date(2026, 10, 23), new Date(2026, 10, 24)],
      [{ from: '2025-12-31', to: '2026-01-01' }, PRESENT, new Date(2025, 11, 31), new Date(2026, 0, 2)],
    ];
    for (const [period, present, from, before] of cases)
      assert.deepEqual(boundsOf(period, present), { from, before }, periodText(period));
  });

  it('is printed as dates', () => {
    const cases: [Period, string][] = [
      ['today', 'Tuesday 17 November 2026'],
      ['yesterday', 'Monday 16 November 2026'],
      ['week', 'Monday 16 to Tuesday 17 November 2026'],
      [{ from: '2026-11-30', to: '2026-12-06' }, 'Monday 30 November to Sunday 6 December 2026'],
      [{ from: '2025-12-29', to: '2026-01-04' }, 'Monday 29 December 2025 to Sunday 4 January 2026'],
      [{ from: '2025-11-17', to: '2026-11-17' }, 'Monday 17 November 2025 to Tuesday 17 November 2026'],
    ];
    for (const [period, title] of cases) assert.equal(periodTitle(period, PRESENT), title);
    assert.equal(periodTitle('week', MONDAY), 'Monday 23 November 2026');
  });

  it('names a file by the local date', () => {
    assert.equal(fileNameOf('sales', 'today', PRESENT), 'sales-2026-11-17.csv');
    assert.equal(fileNameOf('sales', 'today', SUNDAY), 'sales-2026-11-22.csv');
    assert.equal(fileNameOf('sales', 'week', PRESENT), 'sales-2026-11-16-to-2026-11-17.csv');
    assert.equal(fileNameOf('animals', { from: '2026-11-03', to: '2026-11-03' }), 'animals-2026-11-03.csv');
  });
});
