import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { eventId, isAfter, later, parseEventId } from '../../src/contract/event-id.ts';
import { INT64_MAX } from '../../src/contract/int64.ts';

const anyNumber = fc.bigInt({ min: 0n, max: INT64_MAX });
const anyPosition = fc.record(
  { id: anyNumber, at: fc.date({ noInvalidDate: true }) },
  { noNullPrototype: true },
);

describe('The id of an event', () => {
  it('is read as the position that it was written for', () => {
    fc.assert(
      fc.property(anyPosition, (position) => assert.deepEqual(parseEventId(eventId(position)), position)),
    );
  });

  it('keeps its format: readers store it, and resume by it after an upgrade of the service', () => {
    const position = { id: 258n, at: new Date('2026-11-17T12:00:00Z') };
    assert.equal(eventId(position), 'AAAAAAAAAAAAAAAAAAABAgAAAaHpYNYAu3wVRQ');
  });

  it('from before events were numbered is the position of an event that no store has', () => {
    const at = new Date('2026-11-17T12:00:00Z');
    assert.deepEqual(parseEventId('AAAAAAAAAAcAAAAAAAABAgAAAaHpYNYAm-5pDg'), { id: 0n, at });
  });

  it('is none with a time that no clock has', () => {
    const [day, never] = [8.64e15, 8.64e15 + 1].map((ms) => ({
      id: 1n,
      at: { getTime: () => ms } as Date,
    }));
    assert.ok(day && parseEventId(eventId(day)));
    assert.equal(never && parseEventId(eventId(never)), undefined);
  });
});

describe('The order of events', () => {
  const position = (id: bigint) => ({ id, at: new Date(0) });

  it('is that of their numbers; every event is after the beginning', () => {
    const [first, second] = [position(1n), position(2n)];
    assert.equal(isAfter(second, first), true);
    assert.equal(isAfter(first, second), false);
    assert.equal(isAfter(first, first), false);
    assert.equal(isAfter(first, undefined), true);
    assert.equal(later(first, second), second);
    assert.equal(later(second, first), second);
    assert.equal(later(first, undefined), first);
    assert.equal(later(undefined, first), first);
  });
});
