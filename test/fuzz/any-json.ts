import fc from 'fast-check';
import { anyDecimal } from '../support/wire/decimal.ts';

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
 * No name contains a backslash. V8 14.6 reads the name "\u0061" as "\\" when an object of the same shape had that name before:
 * it compares the name that it expects with text whose escapes are not resolved yet.
 */
const name = fc
  .oneof(text, fc.constantFrom('"a"', '"a"', '"__proto__"', '"constructor"', '"0"', '"1.0"', '"\\u0061"'))
  .filter((literal) => !JSON.parse(literal).includes('\\'));
const spaced = (...parts: fc.Arbitrary<string>[]) =>
  fc.tuple(space, ...parts, space).map((all) => all.join(''));

/** JSON texts of every shape, with numbers in every spelling, names that repeat, and space wherever it is allowed. */
export const anyJson = fc.letrec<{ value: string }>((tie) => ({
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
