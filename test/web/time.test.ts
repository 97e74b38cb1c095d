import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { before, describe, it } from 'node:test';
import { isDay } from '../../src/web/browser/console/parts/calendar.ts';
import { now } from '../../src/web/browser/console/parts/clock.ts';
import { age, ago, dayTitle, moment, shortMoment, today } from '../../src/web/browser/console/parts/time.ts';

const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/Santiago',
  'America/Havana',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
];
const CHECKS = join(import.meta.dirname, 'support/zone-checks.ts');

describe('Days and periods', { concurrency: 2 }, () => {
  for (const zone of ZONES)
    it(`are those of the calendar in ${zone}, clock changes included`, async () => {
      const child = spawn(process.execPath, [CHECKS], {
        env: { ...process.env, TZ: zone },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
      assert.equal(code, 0, errors);
    });

  it('are none that the calendar does not have', () => {
    for (const day of ['2026-11-17', '2028-02-29', '1000-01-01', '9998-12-31']) assert.ok(isDay(day), day);
    const others = [
      '',
      'today',
      '2026-02-29',
      '2026-02-30',
      '2026-13-01',
      '2026-00-10',
      '2026-01-32',
      '2026-1-7',
    ];
    for (const text of [
      ...others,
      '0026-11-17',
      '9999-12-31',
      '12026-11-17',
      '2026-11-17T00:00',
      ' 2026-11-17',
    ])
      assert.ok(!isDay(text), text);
  });
});

/** Tuesday 17 November 2026, in the time zone of the device. */
const PRESENT = new Date(2026, 10, 17, 15, 10);
const at = (...[year, month, day, hours = 0, minutes = 0]: number[]) =>
  new Date(year ?? 0, (month ?? 0) - 1, day, hours, minutes).toISOString();

describe('Moments in words', () => {
  // Far from the moments below, so that reading it instead of the given moment shows.
  before(() => (now.value = new Date(2020, 1, 29)));

  it('name the day as far as it is needed', () => {
    const cases: [iso: string, sentence: string, short: string][] = [
      [at(2026, 11, 17, 14, 2), 'today at 14:02', '14:02'],
      [at(2026, 11, 17), 'today at 00:00', '00:00'],
      [at(2026, 11, 16, 17, 48), 'yesterday at 17:48', 'yesterday, 17:48'],
      [at(2026, 11, 13, 9, 30), 'on Friday 13 November at 09:30', '13 Nov, 09:30'],
      [at(2026, 9, 2, 8, 40), 'on Wednesday 2 September at 08:40', '2 Sep, 08:40'],
      [at(2025, 11, 12, 10, 20), 'on Wednesday 12 November 2025 at 10:20', '12 Nov 2025, 10:20'],
      [at(2026, 12, 1, 18, 0), 'on Tuesday 1 December at 18:00', '1 Dec, 18:00'],
    ];
    for (const [iso, sentence, short] of cases) {
      assert.equal(moment(iso, PRESENT), sentence);
      assert.equal(shortMoment(iso, PRESENT), short);
    }
    assert.equal(today(PRESENT), 'Tuesday 17 November 2026, 15:10');
  });

  it('name the year of a day that is in another one', () => {
    const newYear = new Date(2026, 0, 1, 0, 5);
    assert.deepEqual(dayTitle('2025-12-31', newYear), {
      title: 'Yesterday',
      more: 'Wednesday 31 December 2025',
    });
    assert.deepEqual(dayTitle('2026-01-01', newYear), { title: 'Today', more: 'Thursday 1 January' });
    assert.deepEqual(dayTitle('2025-12-30', newYear), { title: 'Tuesday 30 December 2025', more: '' });
  });

  it('count the minutes of what is recent', () => {
    const earlier = (minutes: number) => new Date(PRESENT.getTime() - minutes * 60_000).toISOString();
    const cases = { 0: 'just now', 1: 'a minute ago', 2: '2 minutes ago', 59: '59 minutes ago' };
    for (const [minutes, words] of Object.entries(cases))
      assert.equal(ago(earlier(Number(minutes)), PRESENT), words);
    assert.equal(ago(earlier(60), PRESENT), 'today at 14:10');
    assert.equal(ago(earlier(-1), PRESENT), 'just now', 'the clock of the service may be ahead');
  });

  it('give the age of a reservation in calendar days, and mark it after three', () => {
    const cases: [iso: string, text: string, since: string, isLate: boolean][] = [
      [at(2026, 11, 17, 14, 2), 'today', '14:02', false],
      [at(2026, 11, 16, 23, 59), 'yesterday', '23:59', false],
      [at(2026, 11, 15, 23, 59), '2 days', 'Sun 15 Nov, 23:59', false],
      [at(2026, 11, 14), '3 days', 'Sat 14 Nov, 00:00', false],
      [at(2026, 11, 13, 23, 59), '4 days', 'Fri 13 Nov, 23:59', true],
      [at(2026, 11, 12, 11, 8), '5 days', 'Thu 12 Nov, 11:08', true],
      [at(2025, 11, 17, 11, 8), '365 days', 'Mon 17 Nov 2025, 11:08', true],
      [at(2026, 11, 18, 0, 1), 'today', '00:01', false],
    ];
    for (const [iso, text, since, isLate] of cases)
      assert.deepEqual(age(iso, PRESENT), { text, since, isLate });
  });
});
