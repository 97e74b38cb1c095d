import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { int64FromJsonNumber } from '../../src/contract/int64.ts';
import { parseJson } from '../../src/contract/json.ts';
import { anyDecimal, type Decimal, exactInt64 } from '../support/wire/decimal.ts';

/** Serialized by JSON.stringify, which does not support bigint. */
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

type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown;
/** With ECMAScript's access to the source text, which TypeScript's library does not declare yet. */
const parseWithReviver = JSON.parse as (text: string, reviver: Reviver) => unknown;

/** The definition of `parseJson`, in the obvious and slow way: a reviver is called for every value. */
function referenceParse(text: string): unknown {
  return parseWithReviver(text, (_key, value, { source = '' }) => {
    if (typeof value !== 'number') return value;
    const exact = int64FromJsonNumber(source);
    if (exact === undefined) return Number.NaN;
    return Number.isSafeInteger(Number(exact)) ? Number(exact) : exact;
  });
}

/** Replaces -0 by 0, which is the same integer, and sorts the fields. */
function comparable(value: unknown): unknown {
  if (value === 0) return 0;
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value).map(([name, field]) => [name, comparable(field)]);
}

function outcomeOf(parse: (text: string) => unknown, text: string): unknown {
  try {
    return comparable(parse(text));
  } catch (error) {
    return [(error as Error).name, (error as Error).message];
  }
}

const agreesWithReference = (text: string) =>
  assert.deepEqual(outcomeOf(parseJson, text), outcomeOf(referenceParse, text), text.slice(0, 200));

const anyNumber = fc.oneof(
  anyDecimal.map(({ text }) => text),
  fc.bigInt().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.constantFrom('-0', '0e0', '-0.0', '1e-400', '1e15', '999999999999999', '1000000000000000'),
  fc.constantFrom('1000000000000001', '-1000000000000000', '9007199254740993', '0.1e1', '1E+2'),
);
/** Text of any structure with any numbers. Sometimes a number is used as a key, which is not JSON. */
const anyText = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    anyNumber,
    fc.oneof(fc.string(), anyNumber).map((text) => JSON.stringify(text)),
    fc.constantFrom('true', 'null', '"1e5"', '"\\\\"', '"\\"1e18"', '"1000000000000000"'),
    fc.array(tie('value')).map((items) => `[${items.join()}]`),
    fc
      // V8 14 sometimes passes the first of two values with the same name to a reviver, instead of the last.
      .uniqueArray(
        fc.tuple(
          fc.oneof(
            { weight: 20, arbitrary: fc.string().map((name) => JSON.stringify(name.replaceAll('\\', '/'))) },
            { weight: 5, arbitrary: fc.constantFrom('"__proto__"', '"1"', '"a"', '"1e18"') },
            { weight: 1, arbitrary: anyNumber },
          ),
          tie('value'),
        ),
        { selector: ([name]) => String(JSON.parse(name)) },
      )
      .map((fields) => `{${fields.map((field) => field.join(':')).join()}}`),
  ),
})).value;

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

/** Values with a fraction or exponent only inside strings, which sends the parser to its exact path. */
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
  it('reads every int64 exactly, as a bigint only where a number would round, and any other number as NaN', () => {
    const plain = fc
      .integer({ min: 1, max: 20 })
      .chain((length) => fc.bigInt({ min: 10n ** BigInt(length - 1), max: 10n ** BigInt(length) }))
      .map((digits) => ({ text: `${digits}`, digits, power: 0 }));
    fc.assert(
      fc.property(fc.oneof(plain, anyDecimal), (decimal) => assertExact(parseJson(decimal.text), decimal)),
      { numRuns: 3000, endOnFailure: true },
    );
  });

  it('reads numbers exactly at any position', () => {
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

  it('returns the same as a reviver that converts every number from its source text', () => {
    fc.assert(fc.property(anyText, agreesWithReference), { numRuns: 3000, endOnFailure: true });
  });

  it('behaves like the reviver on damaged text, including the error message', () => {
    const damaged = fc
      .tuple(anyText, fc.nat(), fc.constantFrom('', '"', '1', '.', 'e', '-', '\\', ',', '0', '{', '}'))
      .map(([text, at, bit]) => {
        const place = at % (text.length + 1);
        return text.slice(0, place) + bit + text.slice(place + 1);
      });
    fc.assert(fc.property(damaged, agreesWithReference), { numRuns: 3000, endOnFailure: true });
  });

  it('agrees with JSON.parse on everything without long or fractional numbers', () => {
    fc.assert(
      fc.property(anyValue, fc.constantFrom(undefined, 1, '\t'), (value, space) =>
        agreesWithJsonParse(JSON.stringify(value, null, space)),
      ),
      { numRuns: 1000 },
    );
  });

  it('rejects what JSON.parse rejects', () => {
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
        // The cut text may contain a fraction or a long number, on which the two differ by design.
        fc.pre(!/\d[.eE]|\d{16}/.test(text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""')));
        agreesWithJsonParse(text);
      }),
      { numRuns: 1000 },
    );
  });

  it('uses the last of several values with the same name', () => {
    for (const text of ['{"a":1.5,"a":9007199254740993}', '{"a":{"b":1e18},"\\u0061":9007199254740993}'])
      assert.deepEqual(parseJson(text), { a: 9007199254740993n });
    assert.deepEqual(parseJson('{"a":9007199254740993,"a":"x","b":[1e2]}'), { a: 'x', b: [100] });
  });

  it('treats __proto__ as an ordinary field', () => {
    for (const number of ['1', '1.0', '9007199254740993']) {
      const read = parseJson(`{"__proto__":{"name":"Rex","n":${number}}}`) as { name?: unknown };
      assert.deepEqual(Object.keys(read), ['__proto__']);
      assert.equal(read.name, undefined);
    }
  });

  it('throws RangeError on a number that needs exact parsing and is nested too deeply', () => {
    const nested = (inner: string) => '['.repeat(100_000) + inner + ']'.repeat(100_000);
    for (const number of ['1.5', '1234567890123456', '1e18'])
      assert.throws(() => parseJson(nested(number)), RangeError);
    assert.ok(Array.isArray(parseJson(nested('1'))));
  });
});
