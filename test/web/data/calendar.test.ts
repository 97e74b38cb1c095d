import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { effect } from '@preact/signals';
import fc from 'fast-check';
import * as calendar from '../../../src/web/browser/console/data/calendar.ts';
import { ago, dayTitle } from '../../../src/web/browser/console/parts/words.ts';

const ZONES = 'UTC Europe/Berlin America/Santiago America/Havana Asia/Kathmandu Australia/Lord_Howe';
const CHECKS = join(import.meta.dirname, '../support/zone-checks.ts');

for (const zone of ZONES.split(' '))
  test(`days are those of the calendar in ${zone}, clock changes included`, async () => {
    const env = { ...process.env, TZ: zone };
    const child = spawn(process.execPath, [CHECKS], { env, stdio: ['ignore', 'ignore', 'pipe'] });
    const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
    assert.equal(code, 0, errors);
  });

test('days are none that the calendar does not have', () => {
  for (const day of ['2026-11-17', '2028-02-29', '1000-01-01', '9998-12-31'])
    assert.ok(calendar.isDay(day), day);
  const others = ['', '2026-02-29', '2026-02-30', '2026-13-01', '2026-00-10', '2026-01-32', '2026-1-7'];
  for (const no of [...others, '0026-11-17', '9999-12-31', '12026-11-17', '2026-11-17T00:00'])
    assert.ok(!calendar.isDay(no), no);
});

test('a period is read from an address as it was written, and from nothing else', () => {
  const anyDay = fc.integer({ min: 0, max: 30_000 }).map((days) => calendar.addDays('2000-01-01', days));
  const anyRange = fc
    .tuple(anyDay, fc.integer({ min: 0, max: 365 }))
    .map(([from, days]) => ({ from, to: calendar.addDays(from, days) }));
  const anyPeriod: fc.Arbitrary<calendar.Period> = fc.oneof(fc.constantFrom('today', 'week'), anyRange);
  fc.assert(
    fc.property(anyPeriod, (period) =>
      assert.deepEqual(calendar.periodFrom(calendar.periodText(period)), period),
    ),
  );
  assert.equal(calendar.periodText({ from: '2026-11-03', to: '2026-11-09' }), '2026-11-03..2026-11-09');
  assert.equal(calendar.periodText({ from: '2026-11-03', to: '2026-11-03' }), '2026-11-03');
  const none = ['', 'month', 'yesterday', '2026-02-30', '2026-11-3', '2026-11-03..', '..2026-11-03', '..'];
  for (const no of [...none, '2026-11-03..x', '2026-11-03..2026-11-04..2026-11-05', 'toString'])
    assert.equal(calendar.periodFrom(no), undefined, no);
  assert.equal(calendar.periodFrom('2026-11-09..2026-11-03'), undefined, 'it is not swapped');
});

test('what is wrong with two days is said', () => {
  const cases: [from: string, to: string, problem: string | undefined][] = [
    ['2026-11-09', '2026-11-03', 'The last day is before the first.'],
    ['2026-11-09', '2026-11-09', undefined],
    ['', '2026-11-09', 'Choose both days.'],
    ['0002-11-09', '2026-11-09', 'Choose both days.'],
    ['2024-01-01', '2024-12-31', undefined],
    ['2024-01-01', '2025-01-01', 'A year at most.'],
  ];
  for (const [from, to, problem] of cases) assert.equal(calendar.problemWithRange(from, to), problem);
});

test('a period has dates on paper and in the name of a file', () => {
  const [TUESDAY, MONDAY] = [new Date(2026, 10, 17, 0, 5), new Date(2026, 10, 23)];
  const cases: [period: string, title: string, name: string, present?: Date][] = [
    ['today', 'Tuesday 17 November 2026', '2026-11-17'],
    ['week', 'Monday 16 to Tuesday 17 November 2026', '2026-11-16-to-2026-11-17'],
    ['week', 'Monday 23 November 2026', '2026-11-23', MONDAY],
    ['2026-11-30..2026-12-06', 'Monday 30 November to Sunday 6 December 2026', '2026-11-30-to-2026-12-06'],
    [
      '2025-12-29..2026-01-04',
      'Monday 29 December 2025 to Sunday 4 January 2026',
      '2025-12-29-to-2026-01-04',
    ],
  ];
  for (const [text, title, name, present = TUESDAY] of cases) {
    const period = calendar.periodFrom(text) ?? assert.fail(text);
    assert.equal(calendar.periodTitle(period, present), title);
    assert.equal(calendar.fileNameOf('sales', period, present), `sales-${name}.csv`);
  }
});

const EVENING = new Date(2026, 10, 17, 23, 58, 30);
const MORNING = new Date(2026, 10, 18, 8, 0, 1);

/** A device in the evening whose timers and clock the test controls. The timers do not run while it sleeps. */
function device(t: TestContext) {
  let present = EVENING.getTime();
  t.mock.method(Date, 'now', () => present);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  calendar.now.value = EVENING;
  const setClock = (to: Date) => (present = to.getTime());
  const pass = (seconds: number) => {
    for (let second = 0; second < seconds; second++, t.mock.timers.tick(1000)) present += 1000;
  };
  return { pass, setClock };
}

test('the clock turns Today into Yesterday at midnight, and changes nothing else before', (t) => {
  const { pass } = device(t);
  const titles: string[] = [];
  const times: string[] = [];
  t.after(effect(() => void titles.push(dayTitle('2026-11-17').title)));
  t.after(effect(() => void times.push(ago(EVENING.toISOString()))));
  t.after(calendar.startClock());
  pass(89);
  assert.deepEqual([titles, times], [['Today'], ['just now', 'just now']]);
  pass(1);
  assert.deepEqual([titles, times.slice(2)], [['Today', 'Yesterday'], ['a minute ago']]);
});

test('the clock is right within seconds after the device has slept, at once where a hidden page is shown', (t) => {
  const { pass, setClock } = device(t);
  const document = new EventTarget();
  const stop = calendar.startClock({ document });
  for (const time of [MORNING, new Date(2026, 10, 16, 9, 0, 1)]) {
    setClock(time);
    pass(5);
    assert.ok(Math.abs(calendar.now.peek().getTime() - time.getTime()) <= 5000);
  }
  setClock(MORNING);
  document.dispatchEvent(new Event('visibilitychange'));
  assert.deepEqual(calendar.now.peek(), MORNING);
  stop();
  pass(600);
  document.dispatchEvent(new Event('visibilitychange'));
  assert.deepEqual(calendar.now.peek(), MORNING, 'it is stopped');
});
