import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parse, safeParse } from 'valibot';
import { timeFilter } from '../../src/contract/bounded-filters.ts';
import {
  durationMs,
  EARLIEST_TIME,
  futureTime,
  isTime,
  isTimeMs,
  LATEST_TIME,
} from '../../src/contract/time.ts';

const accepted = <T>(isAccepted: (value: T) => boolean, values: readonly T[]) => values.filter(isAccepted);

describe('A time', () => {
  it('is one that every database can store', () => {
    const inRange = '0001-01-01T00:00:00Z 9999-12-31T23:59:59.999Z 2028-02-29T23:00:00.123456789-05:30'.split(
      ' ',
    );
    assert.deepEqual(accepted(isTime, inRange), inRange);
    const outOfRange =
      '0000-12-31T23:59:59Z 0001-01-01T00:00:00+00:01 9999-12-31T23:59:59-00:01 2027-02-29T00:00:00Z';
    const malformed = '2027-01-32T00:00:00Z 2027-01-31T24:00:00Z 2027-01-31T18:00:00 2027-01-31';
    assert.deepEqual(accepted(isTime, ['', ...`${outOfRange} ${malformed}`.split(' ')]), []);
  });

  it('in milliseconds has the same range, and only digits', () => {
    const [first, last] = [EARLIEST_TIME.getTime(), LATEST_TIME.getTime()];
    const inRange = [`${first}`, `${last}`, '0', '-1'];
    assert.deepEqual(accepted(isTimeMs, inRange), inRange);
    assert.deepEqual(accepted(isTimeMs, [`${first - 1}`, `${last + 1}`, '', ' 1', '1e3', '0x1', '-']), []);
  });

  it('of a filter is rounded up to the millisecond, in which times are stored', () => {
    const filter = (text: string) => parse(timeFilter('When.'), text).toISOString();
    assert.equal(filter('2026-11-17T00:00:00.001000Z'), '2026-11-17T00:00:00.001Z');
    assert.equal(filter('2026-11-17T00:00:00.0010001Z'), '2026-11-17T00:00:00.002Z');
    assert.equal(filter('9999-12-31T23:59:59.9991Z'), LATEST_TIME.toISOString());
  });

  it('is in the future if it is after now', (t) => {
    const now = Date.parse('2026-11-17T12:00:00Z');
    t.mock.timers.enable({ apis: ['Date'], now });
    const isFuture = (text: string) => safeParse(futureTime('When.'), text).success;
    assert.equal(isFuture('2026-11-17T12:00:00.001Z'), true);
    assert.equal(isFuture('2026-11-17T12:00:00Z'), false);
  });
});

describe('A duration', () => {
  it('is a number of seconds, minutes, hours or days', () => {
    const durations = { '1s': 1000, '30m': 1_800_000, '12h': 43_200_000, '90d': 7_776_000_000 };
    for (const [text, ms] of Object.entries(durations)) assert.equal(durationMs(text), ms);
    assert.equal(durationMs('99999d'), 99_999 * 86_400_000);
    for (const text of ['', '0d', '01d', '1', 'd', '1.5h', '-1h', '1w', '1D', '100000d', ' 1d'])
      assert.equal(durationMs(text), undefined, text);
  });
});
