import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseJson } from '../../src/contract/json.ts';
import { anyDecimal, exactInt64 } from '../support/decimal.ts';

const BODY_BYTES = 64 * 1024;

/** Objects are lists of their members in order of name; a number that is no int64 is NaN; -0 is the integer 0. */
type Plain = null | boolean | string | number | bigint | Plain[] | { members: (readonly [string, Plain])[] };

const TOKEN = /"(?:[^"\\]|\\.)*"|[-+.\deE]+|[{}[\]]|true|false|null/gsu;

/**
 * A parser in its simplest form, that decides every number on its text by exact arithmetic. It does without the source
 * text of JSON.parse, so that the two have nothing in common but the syntax.
 */
function reference(text: string): Plain {
  JSON.parse(text);
  const tokens = (text.match(TOKEN) ?? []).values();
  const take = (): string => tokens.next().value ?? '';
  const value = (token: string): Plain => {
    if (token === '[') {
      const items: Plain[] = [];
      for (let next = take(); next !== ']'; next = take()) items.push(value(next));
      return items;
    }
    if (token === '{') {
      const members = new Map<string, Plain>();
      for (let next = take(); next !== '}'; next = take()) members.set(JSON.parse(next), value(take()));
      return object(members);
    }
    return /^[-\d]/.test(token) ? int64(token) : JSON.parse(token);
  };
  return value(take());
}

const object = (members: Iterable<readonly [string, Plain]>): Plain => ({
  members: [...members].sort(([a], [b]) => (a < b ? -1 : 1)),
});

function int64(text: string): Plain {
  const [, sign, whole, fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = BigInt(`${sign}${whole}${fraction}`);
  const power = Number(exponent) - fraction.length;
  if (digits === 0n) return 0;
  if (Math.abs(power) > 200) return Number.NaN;
  const exact = exactInt64({ text, digits, power });
  if (exact === undefined) return Number.NaN;
  return Number.isSafeInteger(Number(exact)) ? Number(exact) : exact;
}

/** What `parseJson` gave, in the form of the reference. */
function plain(value: unknown): Plain {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value + 0 : Number.NaN;
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value as Plain;
  return object(Object.entries(value).map(([name, one]) => [name, plain(one)] as const));
}

/** The value, or the name of the error. */
function outcome(parse: (text: string) => Plain, text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    return (error as Error).name;
  }
}

const space = fc.constantFrom('', '', '', ' ', '\n\t\r ');
const text = fc.oneof(
  fc.string({ unit: 'binary' }).map((value) => JSON.stringify(value)),
  fc.constantFrom(
    '"1.0"',
    '"\\\\"',
    '"\\""',
    '"\\\\\\"1.5,"',
    '"12345678901234567890"',
    '"\\u0031.0"',
    '"é\u2028"',
  ),
);
/**
 * No name holds a backslash. V8 14.6 reads the name "\u0061" as "\\" when an object of the same shape had that name before:
 * it compares the name that it expects with text whose escapes are not resolved yet.
 */
const name = fc
  .oneof(text, fc.constantFrom('"a"', '"a"', '"__proto__"', '"constructor"', '"0"', '"1.0"', '"\\u0061"'))
  .filter((literal) => !JSON.parse(literal).includes('\\'));
const spaced = (...parts: fc.Arbitrary<string>[]) =>
  fc.tuple(space, ...parts, space).map((all) => all.join(''));

/** JSON texts of every shape, with numbers in every spelling, names that repeat, and space wherever it is allowed. */
const anyJson = fc.letrec<{ value: string }>((tie) => ({
  value: spaced(
    fc.oneof(
      { maxDepth: 5, withCrossShrink: true },
      anyDecimal.map(({ text }) => text),
      fc.constantFrom(
        'null',
        'true',
        'false',
        '0',
        '-0',
        '-0.0',
        '1.0',
        '9007199254740993',
        '1e400',
        '1e-400',
        '{}',
        '[]',
      ),
      text,
      fc.array(tie('value'), { maxLength: 6 }).map((items) => `[${items.join(',')}]`),
      fc
        .array(fc.tuple(spaced(name), tie('value')), { maxLength: 6 })
        .map((members) => `{${members.map((member) => member.join(':')).join(',')}}`),
    ),
  ),
})).value;

/** A text with one character removed, doubled or replaced: mostly no JSON any more. */
const damaged = fc
  .tuple(anyJson, fc.nat(), fc.constantFrom('', 'x', '"', '.', 'e', '-', '0', ',', '}', ']', '\0'))
  .map(([text, at, replacement]) => {
    const index = at % Math.max(1, text.length);
    return text.slice(0, index) + replacement + text.slice(index + 1);
  });

const agrees = (text: string) =>
  assert.deepEqual(
    outcome((text) => plain(parseJson(text)), text),
    outcome(reference, text),
    text,
  );

describe('parseJson', () => {
  it('agrees with the simplest exact parser on any JSON', () => {
    fc.assert(fc.property(anyJson, agrees), { numRuns: 3000 });
  });

  it('agrees with it on what is no JSON', () => {
    fc.assert(fc.property(damaged, agrees), { numRuns: 3000 });
  });

  it('agrees with it on large texts', () => {
    for (const unit of ['{}', '1', '1.0', '""', '{"a":1e2}', '9223372036854775807', '"\\u0031.5"'])
      agrees(filled(unit, '1.0'));
  });
});

/** A list of 64 KiB. */
function filled(unit: string, last: string, bytes = BODY_BYTES): string {
  const count = Math.floor((bytes - last.length - 2) / (unit.length + 1));
  return `[${`${unit},`.repeat(count)}${last}]`;
}

const numbered = (count: number, value: string) =>
  Array.from({ length: count }, (_, n) => `"${n.toString(36)}":${value}`);

/** Shapes that are cheap in a plain parse, each with one number that has to be looked at closely. */
const shapes: Readonly<Record<string, (bytes: number) => string>> = {
  'empty objects': (bytes) => filled('{}', '1.0', bytes),
  'empty lists': (bytes) => filled('[]', '1.0', bytes),
  'empty strings': (bytes) => filled('""', '1.0', bytes),
  'short numbers': (bytes) => filled('1', '1.0', bytes),
  fractions: (bytes) => filled('1.0', '1.0', bytes),
  exponents: (bytes) => filled('1e2', '1.0', bytes),
  'enormous exponents': (bytes) => filled('1e999999999', '1.0', bytes),
  'long numbers': (bytes) => filled('9223372036854775807', '1.0', bytes),
  'objects with a member': (bytes) => filled('{"a":1}', '1.0', bytes),
  'one object with many members': (bytes) =>
    `{${[...numbered(Math.floor(bytes / 9), '1'), '"x":1.0'].join(',')}}`,
  'one name many times': (bytes) => `{${'"a":1,'.repeat(bytes / 6 - 4)}"a":1.0}`,
  'one number with many digits': (bytes) => '1'.repeat(bytes),
  'one fraction with many digits': (bytes) => `1.${'0'.repeat(bytes - 2)}`,
  'one string of escapes': (bytes) => `["${'\\u0031'.repeat(bytes / 6 - 4)}",1.0]`,
  'one string of backslashes': (bytes) => `["${'\\\\'.repeat(bytes / 2 - 8)}",1.0]`,
  'strings of quotes': (bytes) => filled('"\\""', '1.0', bytes),
  'deep lists': (bytes) => `${'['.repeat(bytes / 2 - 4)}1.0${']'.repeat(bytes / 2 - 4)}`,
  'lists that are never closed': (bytes) => `${'['.repeat(bytes - 3)}1.0`,
};

/** The shortest of many runs: what the work takes when nothing comes in between. */
function shortestMs(parse: (text: string) => unknown, text: string): number {
  let shortest = Number.POSITIVE_INFINITY;
  for (let n = 0; n < 40; n++) {
    const start = performance.now();
    try {
      parse(text);
    } catch {
      // Text that is refused costs something, too.
    }
    shortest = Math.min(shortest, performance.now() - start);
  }
  return shortest;
}

describe('the cost of a body', () => {
  const plainest = shortestMs(JSON.parse, filled('{}', '1'));

  for (const [what, shape] of Object.entries(shapes)) {
    it(`of 64 KiB is at most some times that of the plainest, and grows with its length: ${what}`, (t) => {
      const whole = shortestMs(parseJson, shape(BODY_BYTES));
      const quarter = shortestMs(parseJson, shape(BODY_BYTES / 4));
      t.diagnostic(
        `${(whole / plainest).toFixed(1)} times the plainest, ${(whole / quarter).toFixed(1)} times a quarter`,
      );
      assert.ok(whole < 8 * plainest, `${whole / plainest} times ${plainest} ms`);
      // Four times the text: about 4 when linear, 16 when every part is looked at once for every other.
      assert.ok(whole < 10 * quarter || whole < plainest, `${whole / quarter} times the cost of a quarter`);
    });
  }
});
