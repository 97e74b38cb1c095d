import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { setImmediate as nextTick } from 'node:timers/promises';
import { batchPerTick } from '../src/batch-per-tick.ts';

describe('batchPerTick', () => {
  it('runs the items of one tick together, once, in the order in which they were added', async () => {
    const batches: number[][] = [];
    const add = batchPerTick<number>((items) => batches.push(items));
    for (let n = 0; n < 5; n++) add(n);
    assert.deepEqual(batches, [], 'nothing runs inside add');
    await nextTick();
    assert.deepEqual(batches, [[0, 1, 2, 3, 4]]);
    add(5);
    await nextTick();
    await nextTick();
    assert.deepEqual(batches, [[0, 1, 2, 3, 4], [5]]);
  });

  it('runs as soon as the current callback is done, before the next one', async () => {
    const order: string[] = [];
    const add = batchPerTick<string>((items) => order.push(...items));
    await new Promise<void>((resolve) => {
      setImmediate(() => {
        setImmediate(() => {
          order.push('next tick');
          resolve();
        });
        add('batch');
      });
    });
    assert.deepEqual(order, ['batch', 'next tick']);
  });

  it('bounds a batch by the size of its items, and leaves the others to the next ticks', async () => {
    const batches: number[][] = [];
    const add = batchPerTick<number>((items) => batches.push(items), { max: 10, sizeOf: (size) => size });
    for (const size of [4, 5, 3, 20, 1, 1]) add(size);
    for (let tick = 0; tick < 4; tick++) await nextTick();
    assert.deepEqual(batches, [[4, 5, 3], [20], [1, 1]]);
  });

  it('includes the items that are added by promise callbacks of the same tick', async () => {
    const batches: string[][] = [];
    const add = batchPerTick<string>((items) => batches.push(items));
    await Promise.resolve().then(() => add('a'));
    await Promise.resolve().then(() => add('b'));
    await nextTick();
    assert.deepEqual(batches, [['a', 'b']]);
  });

  it('adds an item that arrives while a batch runs to the next batch', async () => {
    const batches: string[][] = [];
    const add = batchPerTick<string>((items) => {
      batches.push([...items]);
      if (items.includes('a')) add('c');
    });
    add('a');
    add('b');
    await nextTick();
    await nextTick();
    assert.deepEqual(batches, [['a', 'b'], ['c']]);
  });

  it('runs later batches, and the rest of a split batch, after a batch has thrown', async () => {
    const batches: number[][] = [];
    const add = batchPerTick<number>(
      (items) => {
        batches.push(items);
        if (items.includes(0)) throw new Error('the first batch fails');
      },
      { max: 2 },
    );
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
    await nextTick();
    assert.deepEqual(batches, [[0, 1], [2]]);
    add(3);
    await nextTick();
    assert.deepEqual(batches, [[0, 1], [2], [3]]);
  });

  it('runs at most `max` items at a time, and lets other events run in between', async () => {
    const events: string[] = [];
    const add = batchPerTick<number>((items) => events.push(items.join()), { max: 2 });
    for (let n = 0; n < 5; n++) add(n);
    setImmediate(() => events.push('other'));
    while (!events.includes('4')) await nextTick();
    assert.deepEqual(
      events.filter((event) => event !== 'other'),
      ['0,1', '2,3', '4'],
    );
    assert.ok(events.indexOf('other') < events.indexOf('4'), events.join(' | '));
  });

  it('preserves the order when items are added while the rest of a split batch waits', async () => {
    const ran: number[] = [];
    const add = batchPerTick<number>(
      (items) => {
        ran.push(...items);
        if (items.includes(0)) add(9);
      },
      { max: 2 },
    );
    for (let n = 0; n < 5; n++) add(n);
    while (ran.length < 6) await nextTick();
    await nextTick();
    assert.deepEqual(ran, [0, 1, 2, 3, 4, 9]);
  });

  it('runs a lone item at the end of the callback with loneAtOnce, until two come in one tick', async () => {
    const batches: number[][] = [];
    const add = batchPerTick<number>((items) => batches.push(items), {
      schedule: setImmediate,
      loneAtOnce: true,
    });
    for (const n of [0, 1]) {
      add(n);
      assert.equal(batches.length, n, 'nothing runs inside add');
      await new Promise(process.nextTick);
      assert.deepEqual(batches.at(-1), [n], 'before the other callbacks of the tick');
      await nextTick();
    }
    for (const n of [2, 3, 4]) add(n);
    await nextTick();
    assert.deepEqual(batches.slice(2), [[2], [3, 4]]);
    for (const n of [5, 6]) add(n);
    await new Promise(process.nextTick);
    assert.equal(batches.length, 4, 'the next tick may bring several, too');
    await nextTick();
    assert.deepEqual(batches.slice(4), [[5, 6]]);
    add(7);
    await nextTick();
    add(8);
    await new Promise(process.nextTick);
    assert.deepEqual(batches.slice(5), [[7], [8]]);
  });

  it('runs what a batch postpones in a later tick, before what was added since', async () => {
    const batches: [tick: number, items: number[]][] = [];
    let tick = 0;
    const add = batchPerTick<number>((items, postpone) => {
      if (items.includes(1)) add(9);
      batches.push([tick, items.slice(0, 2)]);
      postpone(items.slice(2));
    });
    for (let n = 0; n < 5; n++) add(n);
    for (; tick < 5; tick++) await nextTick();
    const [first, second, third] = batches;
    assert.deepEqual(batches, [
      [0, [0, 1]],
      [second?.[0], [2, 3]],
      [third?.[0], [4, 9]],
    ]);
    assert.ok(first && second && third && second[0] < third[0], 'one batch per tick');
  });

  it('runs a lone item again that was postponed', async () => {
    let left = 3;
    const ran: string[] = [];
    const add = batchPerTick<string>(
      (items, postpone) => (left-- > 0 ? postpone(items) : void ran.push(...items)),
      { schedule: setImmediate, loneAtOnce: true },
    );
    add('a');
    for (let tick = 0; tick < 5; tick++) await nextTick();
    assert.deepEqual(ran, ['a']);
  });

  it('collects the items of every I/O callback of the tick with setImmediate', async () => {
    const batches: string[][] = [];
    const add = batchPerTick<string>((items) => batches.push(items), { schedule: setImmediate });
    process.nextTick(() => add('a'));
    queueMicrotask(() => add('b'));
    await new Promise(process.nextTick);
    assert.deepEqual(batches, [], 'not at the end of the callback');
    await nextTick();
    assert.deepEqual(batches.flat().sort(), ['a', 'b']);
    assert.equal(batches.length, 1);
  });
});
