import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { KeyScope, Order } from '../../../src/client/index.ts';
import { now } from '../../../src/web/browser/console/data/calendar.ts';
import { byName, idIn } from '../../../src/web/browser/console/data/text.ts';
import * as words from '../../../src/web/browser/console/parts/words.ts';

/** Tuesday 17 November 2026, in the time zone of the device. */
const PRESENT = new Date(2026, 10, 17, 15, 10);
const at = (...[year, month, day, hours = 0, minutes = 0]: number[]) =>
  new Date(year ?? 0, (month ?? 0) - 1, day, hours, minutes).toISOString();

// Far from the moments below, so that reading it instead of the given words.moment shows.
before(() => (now.value = new Date(2020, 1, 29)));

test('a words.moment names the day as far as it is needed', () => {
  const cases: [iso: string, sentence: string, short: string][] = [
    [at(2026, 11, 18, 15, 10), 'tomorrow at 15:10', '18 Nov, 15:10'],
    [at(2026, 11, 17, 14, 2), 'today at 14:02', '14:02'],
    [at(2026, 11, 17), 'today at 00:00', '00:00'],
    [at(2026, 11, 16, 17, 48), 'yesterday at 17:48', 'yesterday, 17:48'],
    [at(2026, 9, 2, 8, 40), 'on Wednesday 2 September at 08:40', '2 Sep, 08:40'],
    [at(2025, 11, 12, 10, 20), 'on Wednesday 12 November 2025 at 10:20', '12 Nov 2025, 10:20'],
    [at(2026, 12, 1, 18, 0), 'on Tuesday 1 December at 18:00', '1 Dec, 18:00'],
  ];
  for (const [iso, sentence, short] of cases) {
    assert.equal(words.moment(iso, PRESENT), sentence);
    assert.equal(words.shortMoment(iso, PRESENT), short);
  }
  const newYear = new Date(2026, 0, 1, 0, 5);
  const titleOf = (day: string) => Object.values(words.dayTitle(day, newYear)).join(', ');
  assert.equal(titleOf('2025-12-31'), 'Yesterday, Wednesday 31 December 2025');
  assert.equal(titleOf('2026-01-01'), 'Today, Thursday 1 January');
  assert.equal(titleOf('2025-12-30'), 'Tuesday 30 December 2025, ');
});

test('what is recent is told in minutes', () => {
  const earlier = (minutes: number) => new Date(PRESENT.getTime() - minutes * 60_000).toISOString();
  const cases = { 0: 'just now', 1: 'a minute ago', 2: '2 minutes ago', 59: '59 minutes ago' };
  for (const [minutes, text] of Object.entries(cases))
    assert.equal(words.ago(earlier(Number(minutes)), PRESENT), text);
  assert.equal(words.ago(earlier(60), PRESENT), 'today at 14:10');
  assert.equal(words.ago(earlier(-1), PRESENT), 'just now', 'the clock of the service may be ahead');
});

test('the words.age of a reservation is in calendar days, and marked after three', () => {
  const cases: [iso: string, text: string, since: string, isLate: boolean][] = [
    [at(2026, 11, 18, 0, 1), 'today', '00:01', false],
    [at(2026, 11, 17, 14, 2), 'today', '14:02', false],
    [at(2026, 11, 16, 23, 59), 'yesterday', '23:59', false],
    [at(2026, 11, 15, 23, 59), '2 days', 'Sun 15 Nov', false],
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
    [at(2026, 11, 18), 'on 18 November'],
    [at(2026, 11, 17, 15, 11), 'today at 15:11'],
    [at(2026, 11, 17, 15, 10), undefined],
  ];
  for (const [iso, text] of cases) assert.equal(words.endsSoon(iso, PRESENT), text, `${iso}`);
});

test('a note that changes later does not change when an order was placed or completed', () => {
  const [createdAt, completedAt, updatedAt] = [at(2026, 11, 15), at(2026, 11, 16), at(2026, 11, 17)];
  const order = { id: 1n, petId: 1n, note: 'paid', createdAt, updatedAt } as const;
  const cases: [Order, string][] = [
    [{ ...order, status: 'placed' }, createdAt],
    [{ ...order, status: 'completed', completedAt }, completedAt],
    [{ ...order, status: 'returned', completedAt }, updatedAt],
    [{ ...order, status: 'cancelled' }, updatedAt],
  ];
  for (const [one, since] of cases) assert.equal(words.statusSince(one), since, one.status);
});

test('a key has one of four roles, or its scopes in words', () => {
  for (const { name, scopes, inShort } of words.roles) {
    assert.equal(words.roleOf(scopes.toReversed())?.name, name);
    assert.equal(words.describeScopes(scopes), inShort);
  }
  assert.deepEqual(words.roleOf(['store:write', 'events:read', 'pets:read'])?.name, 'Till');
  const others: [KeyScope[], string][] = [
    [['pets:read', 'store:write'], 'Sees animals, reserves and sells'],
    [['metrics:read'], 'Sees the metrics of the service'],
    [['*', 'pets:read'], 'Does everything, sees animals'],
  ];
  for (const [scopes, text] of others) {
    assert.equal(words.roleOf(scopes), undefined);
    assert.equal(words.describeScopes(scopes), text);
  }
});

test('names are in natural order, whatever their case and accents, and equal ones by id', () => {
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
});

test('an id is digits, also after #', () => {
  assert.deepEqual([' #12 ', '9223372036854775807'].map(idIn), [12n, 9_223_372_036_854_775_807n]);
  for (const text of ['9223372036854775808', '1e3', '-1', '']) assert.equal(idIn(text), undefined, text);
});
