import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import * as v from 'valibot';
import { INT64_MAX, INT64_MIN, Int64, int64FromJsonNumber } from '../../src/contract/int64.ts';
import { jsonWriter, parseJson } from '../../src/contract/json.ts';
import { inventoryJson, orderJson } from '../../src/contract/order.ts';
import { type Pet, petJson } from '../../src/contract/pet.ts';
import { anyDecimal } from '../support/wire/decimal.ts';

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
  fc
    .integer({ min: 1, max: 20 })
    .chain((length) => fc.bigInt({ min: 10n ** BigInt(length - 1), max: 10n ** BigInt(length) }))
    .map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.constantFrom('-0', '0e0', '-0.0', '1e-400', '1e15', '999999999999999', '1000000000000000'),
  fc.constantFrom('1000000000000001', '-1000000000000000', '9007199254740993', '0.1e1', '1E+2'),
);
/** Text of any structure with any numbers. Sometimes a number is used as a key, which is not JSON. */
const anyText = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    anyNumber,
    fc.oneof(fc.string({ unit: 'binary' }), anyNumber).map((text) => JSON.stringify(text)),
    fc.constantFrom('true', 'null', '"1e5"', '"\\\\"', '"\\"1e18"', '"1000000000000000"'),
    fc
      .tuple(fc.constantFrom('', ' ', '\n\t'), fc.array(tie('value')))
      .map(([space, items]) => `[${space}${items.join(`${space},${space}`)}${space}]`),
    fc
      // V8 14 sometimes passes the first of two values with the same name to a reviver, instead of the last.
      .uniqueArray(
        fc.tuple(
          fc.oneof(
            { weight: 20, arbitrary: fc.string().map((name) => JSON.stringify(name.replaceAll('\\', '/'))) },
            { weight: 5, arbitrary: fc.constantFrom('"__proto__"', '"constructor"', '"1"', '"1e18"') },
            { weight: 1, arbitrary: anyNumber },
          ),
          tie('value'),
        ),
        { selector: ([name]) => String(JSON.parse(name)) },
      )
      .map((fields) => `{${fields.map((field) => field.join(' : ')).join()}}`),
  ),
})).value;

describe('parseJson', () => {
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

const rex: Pet = { id: 1n, name: 'Rex', categoryId: INT64_MIN, status: 'available' };
const time = '2026-11-15T09:00:00.123Z';

describe('The JSON writer of a schema', () => {
  it('writes the fields of the schema, in its order, and no others', () => {
    const { status, name, categoryId, id } = rex;
    const shuffled = { status, secret: 'x', name, categoryId, id };
    assert.equal(petJson(shuffled), `{"id":1,"name":"Rex","categoryId":${INT64_MIN},"status":"available"}`);
    assert.equal(
      orderJson({ id: 1n, petId: INT64_MAX, status: 'placed', createdAt: time, updatedAt: time }),
      `{"id":1,"petId":${INT64_MAX},"status":"placed","createdAt":"${time}","updatedAt":"${time}"}`,
    );
    assert.equal(
      inventoryJson({ available: 1n, pending: 0n, sold: 2n ** 53n + 1n }),
      '{"available":1,"pending":0,"sold":9007199254740993}',
    );
  });

  it('writes text that parses to the same animal, whatever its name', () => {
    const anyPet = fc.record(
      {
        id: fc.bigInt({ min: INT64_MIN, max: INT64_MAX }),
        name: fc.string({ unit: 'binary', minLength: 1 }),
        categoryId: fc.bigInt({ min: INT64_MIN, max: INT64_MAX }),
        status: fc.constantFrom('available', 'pending', 'sold'),
      },
      { noNullPrototype: true },
    );
    fc.assert(
      fc.property(anyPet, (pet) => {
        const read = parseJson(petJson(pet)) as Record<string, unknown>;
        assert.deepEqual(
          { ...read, id: BigInt(read.id as number), categoryId: BigInt(read.categoryId as number) },
          pet,
        );
      }),
    );
  });

  it('omits an optional field that is absent', () => {
    const write = jsonWriter(v.object({ id: Int64, nick: v.optional(v.string()), size: v.optional(Int64) }));
    assert.equal(write({ id: 1n }), '{"id":1}');
    assert.equal(write({ id: 1n, nick: '' }), '{"id":1,"nick":""}');
    assert.equal(write({ id: 1n, size: 0n }), '{"id":1,"size":0}');
    assert.equal(write({ id: 1n, nick: '"', size: 3n }), '{"id":1,"nick":"\\"","size":3}');
  });

  it('throws at start-up for a schema that it cannot write', () => {
    assert.throws(() => jsonWriter(v.object({ list: v.array(v.string()) })), /no JSON writer for list/);
    assert.throws(() => jsonWriter(v.object({ nick: v.optional(v.string()) })), /cannot be optional/);
  });
});
