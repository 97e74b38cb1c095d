import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { effect } from '@preact/signals';
import fc from 'fast-check';
import type { KeyScope, OrderStatus } from '../../../src/client/index.ts';
import * as calendar from '../../../src/web/browser/console/data/calendar.ts';
import { byName, counted, idIn, short } from '../../../src/web/browser/console/data/text.ts';
import * as words from '../../../src/web/browser/console/parts/words.ts';

const { addDays, isDay, now, periodFrom, periodText, periodTitle, problemWithRange } = calendar;

/** Tuesday 17 November 2026, in the time zone of the device. */
const PRESENT = new Date(2026, 10, 17, 15, 10);
const at = (...[year, month, day, hours = 0, minutes = 0]: number[]) =>
  new Date(year ?? 0, (month ?? 0) - 1, day, hours, minutes).toISOString();

// Far from the moments below, so that reading it instead of the given moment shows.
now.value = new Date(2020, 1, 29);

const ZONES = 'UTC Europe/Berlin America/Santiago America/Havana Asia/Kathmandu Australia/Lord_Howe';

for (const zone of ZONES.split(' '))
  test(`days are those of the calendar in ${zone}, clock changes included`, async () => {
    const env = { ...process.env, TZ: zone };
    const checks = join(import.meta.dirname, '../support/zone-checks.ts');
    const child = spawn(process.execPath, [checks], { env, stdio: ['ignore', 'ignore', 'pipe'] });
    const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
    assert.equal(code, 0, errors);
  });

test('days are none that the calendar does not have', () => {
  for (const day of ['2026-11-17', '2028-02-29', '1000-01-01', '9998-12-31']) assert.ok(isDay(day), day);
  const others = ['', '2026-02-29', '2026-02-30', '2026-13-01', '2026-00-10', '2026-01-32', '2026-1-7'];
  for (const no of [...others, '0026-11-17', '9999-12-31', '12026-11-17', '2026-11-17T00:00'])
    assert.ok(!isDay(no), no);
});

test('a period is read from an address as it was written, and from nothing else; what is wrong with two days is said', () => {
  const anyDay = fc.integer({ min: 0, max: 30_000 }).map((days) => addDays('2000-01-01', days));
  const anyRange = fc
    .tuple(anyDay, fc.integer({ min: 0, max: 365 }))
    .map(([from, days]) => ({ from, to: addDays(from, days) }));
  const anyPeriod: fc.Arbitrary<calendar.Period> = fc.oneof(fc.constantFrom('today', 'week'), anyRange);
  fc.assert(fc.property(anyPeriod, (period) => assert.deepEqual(periodFrom(periodText(period)), period)));
  assert.equal(periodText({ from: '2026-11-03', to: '2026-11-09' }), '2026-11-03..2026-11-09');
  assert.equal(periodText({ from: '2026-11-03', to: '2026-11-03' }), '2026-11-03');
  const none = ['', 'month', 'yesterday', '2026-02-30', '2026-11-3', '2026-11-03..', '..2026-11-03', '..'];
  for (const no of [...none, '2026-11-03..x', '2026-11-03..2026-11-04..2026-11-05', 'toString'])
    assert.equal(periodFrom(no), undefined, no);
  assert.equal(periodFrom('2026-11-09..2026-11-03'), undefined, 'it is not swapped');
  const problem = (range: string) => problemWithRange(...(range.split('..') as [string, string]));
  assert.equal(problem('2026-11-09..2026-11-03'), 'The last day is before the first.');
  for (const half of ['', '0002-11-09']) assert.equal(problem(`${half}..2026-11-09`), 'Choose both days.');
  for (const good of ['2026-11-09..2026-11-09', '2024-01-01..2024-12-31'])
    assert.equal(problem(good), undefined);
  assert.equal(problem('2024-01-01..2025-01-01'), 'A year at most.');
});

test('a period has dates on paper and in the name of a file', () => {
  const MONDAY = new Date(2026, 10, 23);
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
  for (const [text, title, name, present = PRESENT] of cases) {
    const period = periodFrom(text) ?? assert.fail(text);
    assert.equal(periodTitle(period, present), title);
    assert.equal(calendar.fileNameOf('sales', period, present), `sales-${name}.csv`);
  }
});

test('a moment names the day as far as it is needed; what is recent is told in minutes', () => {
  const cases: [iso: string, sentence: string, short: string][] = [
    [at(2026, 11, 18, 15, 10), 'tomorrow at 15:10', '18 Nov, 15:10'],
    [at(2026, 11, 17, 14, 2), 'today at 14:02', '14:02'],
    [at(2026, 11, 16, 17, 48), 'yesterday at 17:48', 'yesterday, 17:48'],
    [at(2026, 9, 2, 8, 40), 'on Wednesday 2 September at 08:40', '2 Sep, 08:40'],
    [at(2025, 11, 12, 10, 20), 'on Wednesday 12 November 2025 at 10:20', '12 Nov 2025, 10:20'],
    [at(2026, 12, 1, 18, 0), 'on Tuesday 1 December at 18:00', '1 Dec, 18:00'],
  ];
  for (const [iso, sentence, short] of cases) {
    assert.equal(words.moment(iso, PRESENT), sentence);
    assert.equal(words.shortMoment(iso, PRESENT), short);
  }
  const titleOf = (day: string) => Object.values(words.dayTitle(day, new Date(2026, 0, 1, 0, 5))).join(', ');
  assert.equal(titleOf('2025-12-31'), 'Yesterday, Wednesday 31 December 2025');
  assert.equal(titleOf('2026-01-01'), 'Today, Thursday 1 January');
  assert.equal(titleOf('2025-12-30'), 'Tuesday 30 December 2025, ');
  const told = {
    0: 'just now',
    1: 'a minute ago',
    2: '2 minutes ago',
    59: '59 minutes ago',
    60: 'today at 14:10',
  };
  // The clock of the service may be ahead.
  for (const [minutes, text] of Object.entries({ ...told, [-1]: 'just now' })) {
    const earlier = new Date(PRESENT.getTime() - Number(minutes) * 60_000);
    assert.equal(words.ago(earlier.toISOString(), PRESENT), text);
  }
});

test('the age of a reservation is in calendar days, and marked after three', () => {
  const cases: [iso: string, text: string, since: string, isLate: boolean][] = [
    [at(2026, 11, 18, 0, 1), 'today', '00:01', false],
    [at(2026, 11, 16, 23, 59), 'yesterday', '23:59', false],
    [at(2026, 11, 14), '3 days', 'Sat 14 Nov', false],
    [at(2026, 11, 13, 23, 59), '4 days', 'Fri 13 Nov', true],
    [at(2025, 11, 17, 11, 8), '365 days', 'Mon 17 Nov 2025', true],
  ];
  for (const [iso, text, since, isLate] of cases)
    assert.deepEqual(words.age(iso, PRESENT), { text, since, isLate });
});

test('a key is marked two weeks before it ends, and says at what time on its last day', () => {
  const cases: [iso: string | undefined, text: string | undefined][] = [
    [undefined, undefined],
    [at(2026, 12, 2), undefined],
    [at(2026, 12, 1, 23, 59), 'on 1 December'],
    [at(2026, 11, 17, 15, 11), 'today at 15:11'],
    [at(2026, 11, 17, 15, 10), undefined],
  ];
  for (const [iso, text] of cases) assert.equal(words.endsSoon(iso, PRESENT), text, `${iso}`);
});

test('a note that changes later does not change when an order was placed or completed', () => {
  const [createdAt, completedAt, updatedAt] = [at(2026, 11, 15), at(2026, 11, 16), at(2026, 11, 17)];
  const order = { id: 1n, petId: 1n, note: 'paid', createdAt, updatedAt } as const;
  const cases = { placed: createdAt, completed: completedAt, returned: updatedAt, cancelled: updatedAt };
  for (const [status, since] of Object.entries(cases))
    assert.equal(words.statusSince({ ...order, completedAt, status: status as OrderStatus }), since, status);
});

test('a key has one of four roles, or its scopes in words', () => {
  for (const { name, scopes, inShort } of words.roles) {
    assert.equal(words.roleOf(scopes.toReversed())?.name, name);
    assert.equal(words.describeScopes(scopes), inShort);
  }
  assert.deepEqual(words.roleOf(['store:write', 'events:read', 'pets:read'])?.name, 'Till');
  const others: Readonly<Record<string, KeyScope[]>> = {
    'Sees animals, reserves and sells': ['pets:read', 'store:write'],
    'Sees the metrics of the service': ['metrics:read'],
    'Does everything, sees animals': ['*', 'pets:read'],
  };
  for (const [text, scopes] of Object.entries(others))
    assert.deepEqual([words.roleOf(scopes), words.describeScopes(scopes)], [undefined, text]);
});

test('names are in natural order, whatever their case and accents, and equal ones by id, which is digits', () => {
  const wanted = [
    { id: 9n, name: 'Ábel 2' },
    { id: 8n, name: 'abel 10' },
    { id: -1n, name: 'Kitten 1' },
    { id: 2n, name: 'Kitten 2' },
    { id: 10n, name: 'kitten 2' },
    { id: 9_007_199_254_740_992n, name: 'Kitten 2' },
    { id: 9_007_199_254_740_993n, name: 'Kitten 2' },
    { id: 1n, name: 'Kitten 10' },
  ];
  assert.deepEqual(wanted.toReversed().sort(byName), wanted);
  assert.deepEqual([' #12 ', '9223372036854775807'].map(idIn), [12n, 9_223_372_036_854_775_807n]);
  for (const text of ['9223372036854775808', '1e3', '-1', '']) assert.equal(idIn(text), undefined, text);
});

test('a long name is cut in a sentence, and turns no text around', () => {
  assert.equal(short('W'.repeat(60)), `\u2068${'W'.repeat(60)}\u2069`);
  assert.equal(short('🐕'.repeat(61)), `\u2068${'🐕'.repeat(59)}…\u2069`);
  assert.equal(short('A\u2069\u202eb'), '\u2068Ab\u2069');
  assert.deepEqual(
    [counted(1n, 'animal', 'animals'), counted(1000, 'animal', 'animals')],
    ['1 animal', '1,000 animals'],
  );
});

test('the clock turns Today into Yesterday at midnight, and is right soon after the device has slept', (t) => {
  const [EVENING, MORNING] = [new Date(2026, 10, 17, 23, 58, 30), new Date(2026, 10, 18, 8, 0, 1)];
  let present = EVENING.getTime();
  t.mock.method(Date, 'now', () => present);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  now.value = EVENING;
  const pass = (seconds: number) => {
    for (let second = 0; second < seconds; second++, t.mock.timers.tick(1000)) present += 1000;
  };
  const titles: string[] = [];
  const times: string[] = [];
  t.after(effect(() => void titles.push(words.dayTitle('2026-11-17').title)));
  t.after(effect(() => void times.push(words.ago(EVENING.toISOString()))));
  const document = new EventTarget();
  const stop = calendar.startClock({ document });
  pass(89);
  assert.deepEqual([titles, times], [['Today'], ['just now', 'just now']]);
  pass(1);
  assert.deepEqual([titles, times.slice(2)], [['Today', 'Yesterday'], ['a minute ago']]);
  // No timer runs while it sleeps.
  for (const time of [MORNING, new Date(2026, 10, 16, 9, 0, 1)]) {
    present = time.getTime();
    pass(5);
    assert.ok(Math.abs(now.peek().getTime() - time.getTime()) <= 5000);
  }
  // A hidden page is right at once when it is shown.
  present = MORNING.getTime();
  document.dispatchEvent(new Event('visibilitychange'));
  assert.deepEqual(now.peek(), MORNING);
  stop();
  pass(600);
  document.dispatchEvent(new Event('visibilitychange'));
  assert.deepEqual(now.peek(), MORNING, 'it is stopped');
});
