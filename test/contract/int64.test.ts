import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { INT64_MAX, INT64_MIN, int64FromJsonNumber, int64FromText } from '../../src/contract/int64.ts';
import { anyDecimal, exactInt64 } from '../support/wire/decimal.ts';

const anyInt64 = fc.bigInt({ min: INT64_MIN, max: INT64_MAX });
const anyInteger = fc.oneof(
  anyInt64,
  fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }),
  fc.bigInt({ min: -3n, max: 3n }).chain((d) => fc.constantFrom(INT64_MIN + d, INT64_MAX + d, d)),
);
const inRange = (value: bigint) => (BigInt.asIntN(64, value) === value ? value : undefined);

describe('int64FromText', () => {
  it('reads every integer in range exactly, and none out of range', () => {
    fc.assert(fc.property(anyInteger, (value) => assert.equal(int64FromText(`${value}`), inRange(value))));
  });

  it('reads only plain decimal digits', () => {
    const spellings = '- +5 05 -05 -0 5.0 5e0 0x5 5n 1_000 ٥ NaN'.split(' ');
    for (const text of [...spellings, '', ' ', ' 5', '5 ', '5\n'])
      assert.equal(int64FromText(text), undefined, JSON.stringify(text));
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'-+0123456789.e ') })),
        (text) => {
          const value = int64FromText(text);
          assert.ok(value === undefined || `${value}` === text);
        },
      ),
    );
  });
});

describe('int64FromJsonNumber', () => {
  it('agrees with exact arithmetic on every notation of a number', () => {
    fc.assert(
      fc.property(anyDecimal, (decimal) =>
        assert.equal(int64FromJsonNumber(decimal.text), exactInt64(decimal)),
      ),
      { numRuns: 5000 },
    );
  });

  it('uses the text where a JavaScript number would round', () => {
    const table: [string, bigint | undefined][] = [
      ['9007199254740993', 9007199254740993n],
      ['9223372036854775807.0', INT64_MAX],
      ['-9.223372036854775808e18', INT64_MIN],
      ['9223372036854775808', undefined],
      ['9.223372036854775808e18', undefined],
      ['1e19', undefined],
      ['1e-400', undefined],
      ['1e400', undefined],
      ['0.99999999999999999999', undefined],
      ['1.00000000000000000001', undefined],
      ['-0', 0n],
      ['-0.0e-7', 0n],
      ['0e999999999999999999999', 0n],
      ['1e999999999999999999999', undefined],
      ['1e-999999999999999999999', undefined],
      [`1${'0'.repeat(60_000)}e-60000`, 1n],
      [`0.${'0'.repeat(60_000)}1e60001`, 1n],
    ];
    for (const [text, expected] of table)
      assert.equal(int64FromJsonNumber(text), expected, text.slice(0, 40));
  });
});
