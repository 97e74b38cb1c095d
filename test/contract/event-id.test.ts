import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { eventId, isAfter, later, parseEventId } from '../../src/contract/event-id.ts';
import { INT64_MAX } from '../../src/contract/int64.ts';

const anyNumber = fc.bigInt({ min: 0n, max: INT64_MAX });
const anyPosition = fc.record(
  { transaction: anyNumber, id: anyNumber, at: fc.date({ noInvalidDate: true }) },
  { noNullPrototype: true },
);

describe('The id of an event', () => {
  it('is read as the position that it was written for, also one from before events were numbered', () => {
    fc.assert(
      fc.property(anyPosition, (position) => assert.deepEqual(parseEventId(eventId(position)), position)),
    );
  });

  it('keeps its format: readers store it, and resume by it after an upgrade of the service', () => {
    const position = { transaction: 0n, id: 258n, at: new Date('2026-11-17T12:00:00Z') };
    assert.equal(eventId(position), 'AAAAAAAAAAAAAAAAAAABAgAAAaHpYNYAu3wVRQ');
  });

  it('is none with a time that no clock has', () => {
    const [day, never] = [8.64e15, 8.64e15 + 1].map((ms) => ({
      transaction: 0n,
      id: 1n,
      at: { getTime: () => ms } as Date,
    }));
    assert.ok(day && parseEventId(eventId(day)));
    assert.equal(never && parseEventId(eventId(never)), undefined);
  });
});

describe('The order of events', () => {
  const position = (id: bigint, transaction = 0n) => ({ transaction, id, at: new Date(0) });

  it('is that of their numbers; every event is after the beginning and after a position that has no number', () => {
    const [first, second] = [position(1n), position(2n)];
    assert.equal(isAfter(second, first), true);
    assert.equal(isAfter(first, second), false);
    assert.equal(isAfter(first, first), false);
    assert.equal(isAfter(first, undefined), true);
    assert.equal(isAfter(first, position(2n, 7n)), true);
    assert.equal(later(first, second), second);
    assert.equal(later(second, first), second);
    assert.equal(later(first, undefined), first);
    assert.equal(later(undefined, first), first);
  });
});
