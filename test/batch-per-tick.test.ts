import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { setImmediate as nextTick } from 'node:timers/promises';
import { batchPerTick } from '../src/batch-per-tick.ts';

describe('batchPerTick', () => {
  for (const [how, options] of Object.entries({
    'at the end of the callback': {},
    'at the end of the tick': { schedule: setImmediate },
    'at most two at a time': { max: 2 },
    'as many as their sizes allow': { max: 10, sizeOf: (n: number) => n },
    'a lone one at once': { schedule: setImmediate, loneAtOnce: true },
  })) {
    for (const postponed of [0, 1, 3])
      it(`runs every item once and in order: ${how}, of which a batch postpones ${postponed}`, async () => {
        const ran: number[] = [];
        let isFirst = true;
        const add = batchPerTick<number>((items, postpone) => {
          const kept = Math.max(1, items.length - postponed);
          // One more arrives while a batch runs.
          if (isFirst) add(12);
          isFirst = false;
          ran.push(...items.slice(0, kept));
          postpone(items.slice(kept));
        }, options);
        for (const tick of [[0], [1], [2, 3, 4], [], [5, 6], [7], [8, 9, 10, 11]]) {
          for (const item of tick) add(item);
          assert.ok(
            tick.every((item) => !ran.includes(item)),
            'nothing runs inside add',
          );
          await nextTick();
        }
        for (let ticks = 0; ran.length < 13 && ticks < 50; ticks++) await nextTick();
        assert.deepEqual(
          ran.filter((item) => item !== 12),
          Array.from({ length: 12 }, (_, item) => item),
        );
        assert.equal(ran.length, 13);
      });
  }

  it('runs the rest of a split batch, and later ones, after a batch has thrown', async () => {
    const batches: number[][] = [];
    const run = (items: number[]) => {
      batches.push(items);
      if (items.includes(0)) throw new Error('the first batch fails');
    };
    const add = batchPerTick(run, { max: 2 });
    // The test runner listens for uncaught exceptions, too, and would fail the test.
    const listeners = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException');
    try {
      const thrown = once(process, 'uncaughtException');
      for (const n of [0, 1, 2]) add(n);
      assert.match(String((await thrown)[0]), /the first batch fails/);
    } finally {
      for (const listener of listeners) process.on('uncaughtException', listener);
    }
    await nextTick();
    add(3);
    await nextTick();
    await nextTick();
    assert.deepEqual(batches, [[0, 1], [2], [3]]);
  });
});
