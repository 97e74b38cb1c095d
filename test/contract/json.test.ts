import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseJson } from '../../src/contract/json.ts';
import { anyDecimal, type Decimal, exactInt64 } from '../support/decimal.ts';

/** Written again by JSON.stringify, which knows no bigint. */
const rewritten = (value: unknown) =>
  JSON.stringify(value, (_key, value) => (typeof value === 'bigint' ? Number(value) : value));

function outcome(parse: (text: string) => unknown, text: string): string {
  try {
    return `${rewritten(parse(text))}`;
  } catch (error) {
    return (error as Error).name;
  }
}

const agreesWithJsonParse = (text: string) =>
  assert.equal(outcome(parseJson, text), outcome(JSON.parse, text), text);

function assertExact(value: unknown, decimal: Decimal): void {
  const exact = exactInt64(decimal);
  const fits = exact !== undefined && Number.isSafeInteger(Number(exact));
  const expected = fits ? Number(exact) : (exact ?? Number.NaN);
  // Not Object.is: -0 may stay -0, which is the same integer.
  assert.ok(
    value === expected || (Number.isNaN(value) && Number.isNaN(expected)),
    `${decimal.text}: ${value}`,
  );
}

/** Values in which a fraction or exponent occurs in text only, where it makes the parser look closer. */
const anyValue = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, false, 0, '1.5', '12345678901234567890', '1e5', '\u2028"\\/'),
    fc.maxSafeInteger(),
    fc.string({ unit: 'binary' }),
    fc.array(tie('value')),
    fc.dictionary(
      fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', '1', '1.5')),
      tie('value'),
    ),
  ),
})).value;

describe('parseJson', () => {
  it('reads every number exactly or as NaN; a bigint only where a number would round', () => {
    const plain = fc
      .integer({ min: 1, max: 20 })
      .chain((length) => fc.bigInt({ min: 10n ** BigInt(length - 1), max: 10n ** BigInt(length) }))
      .map((digits) => ({ text: `${digits}`, digits, power: 0 }));
    fc.assert(
      fc.property(fc.oneof(plain, anyDecimal), (decimal) => assertExact(parseJson(decimal.text), decimal)),
      { numRuns: 3000 },
    );
  });

  it('reads numbers so wherever they stand', () => {
    fc.assert(
      fc.property(anyDecimal, anyDecimal, (a, b) => {
        const read = parseJson(`{"a":${a.text},"list":[{"b":${b.text}}]}`) as {
          a: unknown;
          list: [{ b: unknown }];
        };
        assertExact(read.a, a);
        assertExact(read.list[0].b, b);
      }),
      { numRuns: 1000 },
    );
  });

  it('agrees with JSON.parse on everything without long or broken numbers', () => {
    fc.assert(
      fc.property(anyValue, fc.constantFrom(undefined, 1, '\t'), (value, space) =>
        agreesWithJsonParse(JSON.stringify(value, null, space)),
      ),
      { numRuns: 1000 },
    );
  });

  it('refuses what JSON.parse refuses', () => {
    const broken = [
      '',
      ' ',
      '{',
      '[1,]',
      '{"a":1,}',
      "{'a':1}",
      '01',
      '1.',
      '.5',
      '+1',
      '1e',
      '0x10',
      'NaN',
      '1.5.5',
      '1e5 1',
      '"\n"',
      '\uFEFF1',
      'undefined',
      '[1.0',
      '1234567890123456x',
    ];
    for (const text of broken) assert.throws(() => parseJson(text), SyntaxError, text);
    fc.assert(fc.property(fc.string(), agreesWithJsonParse));
    const spoilt = fc.tuple(anyValue, fc.nat(), fc.string({ maxLength: 2 })).map(([value, at, bit]) => {
      const text = JSON.stringify(value);
      const place = at % (text.length + 1);
      return text.slice(0, place) + bit.replaceAll(/[\d.eE]/g, '') + text.slice(place + 1);
    });
    fc.assert(
      fc.property(spoilt, (text) => {
        // Cutting may leave a fraction or a long number, on which the two differ on purpose.
        fc.pre(!/\d[.eE]|\d{16}/.test(text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""')));
        agreesWithJsonParse(text);
      }),
      { numRuns: 1000 },
    );
  });

  it('keeps a field named __proto__ a field', () => {
    for (const number of ['1', '1.0', '9007199254740993']) {
      const read = parseJson(`{"__proto__":{"name":"Rex","n":${number}}}`) as { name?: unknown };
      assert.deepEqual(Object.keys(read), ['__proto__']);
      assert.equal(read.name, undefined);
    }
  });

  it('throws RangeError, as JSON.parse with a reviver does, on nesting that is too deep to walk', () => {
    const nested = (inner: string) => '['.repeat(100_000) + inner + ']'.repeat(100_000);
    assert.throws(() => parseJson(nested('1.5')), RangeError);
    assert.ok(Array.isArray(parseJson(nested('1'))));
  });
});
