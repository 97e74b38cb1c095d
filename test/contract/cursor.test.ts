import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { decodeCursor, encodeCursor } from '../../src/contract/cursor.ts';
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
  it('decodes to the position it encodes, in the same scope', () => {
    fc.assert(
      fc.property(anyScope, anyPosition, (scope, position) => {
        assert.deepEqual(decodeCursor(scope, encodeCursor(scope, position)), position);
      }),
      { numRuns: 1000 },
    );
  });

  it('needs no escaping in a URL', () => {
    fc.assert(
      fc.property(anyScope, anyPosition, (scope, position) => {
        const cursor = encodeCursor(scope, position);
        assert.equal(encodeURIComponent(cursor), cursor);
      }),
    );
  });

  it('is rejected in any other scope', () => {
    fc.assert(
      fc.property(anyScope, anyScope, anyPosition, (scope, other, position) => {
        fc.pre(scope !== other);
        assert.equal(decodeCursor(other, encodeCursor(scope, position)), undefined);
      }),
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

  it('is rejected when it is any other text', () => {
    const shaped = fc.string({ unit: fc.constantFrom(...ALPHABET), minLength: 19, maxLength: 19 });
    const bytes = fc.uint8Array({ maxLength: 40 });
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      shaped,
      bytes.map((bytes) => Buffer.from(bytes).toString('base64url')),
      bytes.map((bytes) => Buffer.from(bytes).toString('base64')),
      anyInt64.map(String),
    );
    fc.assert(
      fc.property(anyScope, text, (scope, text) => assert.equal(decodeCursor(scope, text), undefined)),
      { numRuns: 1000 },
    );
  });
});
