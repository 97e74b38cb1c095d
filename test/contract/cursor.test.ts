import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { decodeCursor, encodeCursor } from '../../src/contract/cursor.ts';
import { eventId, isAfter, later, parseEventId } from '../../src/contract/event-id.ts';
import { INT64_MAX, INT64_MIN } from '../../src/contract/int64.ts';
import { nameKey } from '../../src/contract/name-key.ts';

const anyInt64 = fc.oneof(
  fc.bigInt({ min: INT64_MIN, max: INT64_MAX }),
  fc.constantFrom(INT64_MIN, -1n, 0n, 1n, 2n ** 53n + 1n, INT64_MAX),
);
const anyName = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 1000 })
  .filter((name) => !name.includes('\0'));
const anyPosition = fc.record(
  { id: anyInt64, key: fc.option(anyName.map(nameKey), { nil: undefined }) },
  { noNullPrototype: true },
);
const anyScope = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('pets', 'pets?status=sold', 'orders', ''),
);

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

describe('A cursor', () => {
  it('decodes to the position it encodes, in the same scope only, and needs no escaping in a URL', () => {
    fc.assert(
      fc.property(anyScope, anyScope, anyPosition, (scope, other, position) => {
        const cursor = encodeCursor(scope, position);
        assert.deepEqual(decodeCursor(scope, cursor), position);
        if (other !== scope) assert.equal(decodeCursor(other, cursor), undefined);
        assert.equal(encodeURIComponent(cursor), cursor);
      }),
      { numRuns: 1000 },
    );
  });

  it('is rejected when a character is changed, missing or added', () => {
    fc.assert(
      fc.property(anyScope, anyPosition, (scope, position) => {
        const cursor = encodeCursor(scope, position);
        for (let i = 0; i <= cursor.length; i++) {
          const [head, tail] = [cursor.slice(0, i), cursor.slice(i + 1)];
          const changed = [...ALPHABET].map((char) => head + char + tail).filter((text) => text !== cursor);
          if (i < cursor.length) changed.push(head + tail);
          for (const text of changed) assert.equal(decodeCursor(scope, text), undefined, text);
        }
      }),
      { numRuns: 20 },
    );
  });

  it('is rejected when it holds a NUL, which no name has', () => {
    const cursor = encodeCursor('pets', { id: 1n, key: 'A\0' });
    assert.equal(decodeCursor('pets', cursor), undefined);
  });
});

const anyEventNumber = fc.bigInt({ min: 0n, max: INT64_MAX });
const anyEventPosition = fc.record(
  { id: anyEventNumber, at: fc.date({ noInvalidDate: true }) },
  { noNullPrototype: true },
);

describe('The id of an event', () => {
  it('is read as the position that it was written for', () => {
    fc.assert(
      fc.property(anyEventPosition, (position) =>
        assert.deepEqual(parseEventId(eventId(position)), position),
      ),
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
