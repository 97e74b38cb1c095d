import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { effect } from '@preact/signals';
import { now, startClock } from '../../src/web/browser/console/parts/clock.ts';
import { ago, dayTitle, today } from '../../src/web/browser/console/parts/time.ts';

/** A device whose timers and clock the test controls. */
function device(t: TestContext, start: Date) {
  let present = start.getTime();
  t.mock.method(Date, 'now', () => present);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  now.value = start;
  return {
    pass(seconds: number): void {
      for (let second = 0; second < seconds; second++) {
        present += 1000;
        t.mock.timers.tick(1000);
      }
    },
    /** Without the timers, which do not run while a device sleeps and do not depend on what its clock is set to. */
    setClock(to: Date): void {
      present = to.getTime();
    },
  };
}

describe('The clock of the page', () => {
  const EVENING = new Date(2026, 10, 17, 23, 58, 30);
  const MORNING = new Date(2026, 10, 18, 8, 0, 1);

  it('turns Today into Yesterday at midnight, and changes nothing else before', (t) => {
    const { pass } = device(t, EVENING);
    const titles: string[] = [];
    const times: string[] = [];
    t.after(effect(() => void titles.push(dayTitle('2026-11-17').title)));
    t.after(effect(() => void times.push(ago(EVENING.toISOString()))));
    t.after(startClock());
    pass(89);
    assert.deepEqual([titles, times], [['Today'], ['just now', 'just now']]);
    pass(1);
    assert.deepEqual(
      [titles, times],
      [
        ['Today', 'Yesterday'],
        ['just now', 'just now', 'a minute ago'],
      ],
    );
  });

  it('is right within seconds after the device has slept, or its clock was set', (t) => {
    const { pass, setClock } = device(t, EVENING);
    t.after(startClock());
    for (const time of [MORNING, new Date(2026, 10, 16, 9, 0, 1)]) {
      setClock(time);
      pass(5);
      assert.equal(today(), today(time));
    }
  });

  it('is right as soon as a hidden page is shown', (t) => {
    const { pass, setClock } = device(t, EVENING);
    const document = new EventTarget();
    const stop = startClock({ document });
    setClock(MORNING);
    document.dispatchEvent(new Event('visibilitychange'));
    assert.deepEqual(now.peek(), MORNING);

    stop();
    pass(600);
    document.dispatchEvent(new Event('visibilitychange'));
    assert.deepEqual(now.peek(), MORNING, 'it is stopped');
  });
});
