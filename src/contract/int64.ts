import * as v from 'valibot';
import { DOT, isDigit, isE, MINUS, ZERO } from './json-number.ts';

export const INT64_MIN = -(2n ** 63n);
export const INT64_MAX = 2n ** 63n - 1n;

const PLAIN = /^(?:0|-?[1-9]\d{0,18})$/;
const MAX_DIGITS = 19;
const POWERS_OF_TEN = Array.from({ length: MAX_DIGITS }, (_, power) => 10n ** BigInt(power));

const inRange = (value: bigint): bigint | undefined =>
  BigInt.asIntN(64, value) === value ? value : undefined;

/** The integer of a path or query parameter, in plain decimal digits; undefined for any other text. */
export function int64FromText(text: string): bigint | undefined {
  if (!PLAIN.test(text)) return undefined;
  return inRange(BigInt(text));
}

/**
 * The integer that a number in JSON represents, decided by its text: `1.0` and `1e2` are whole, `1e-400` is
 * not, although a JavaScript number cannot tell it from 0. Undefined when not whole or out of range. Looks at each character
 * once, which is faster than a regular expression.
 */
export function int64FromJsonNumber(text: string): bigint | undefined {
  if (isPlainInteger(text)) return inRange(BigInt(text));
  /** Where the first nonzero digit is, and where the last one ends. */
  let start = -1;
  let end = -1;
  /** The digits from `start` up to `end`, and the zeros after them. */
  let significant = 0;
  let zeros = 0;
  let afterPoint = 0;
  let exponent = 0;
  let isFraction = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === DOT) isFraction = true;
    else if (isE(code)) {
      exponent = Number(text.slice(i + 1));
      break;
    } else if (code !== MINUS) {
      if (isFraction) afterPoint++;
      if (code === ZERO) zeros++;
      else {
        if (start < 0) start = i;
        else significant += zeros;
        significant++;
        zeros = 0;
        end = i + 1;
      }
    }
  }
  if (start < 0) return 0n;
  const power = exponent - afterPoint + zeros;
  if (power < 0 || significant + power > MAX_DIGITS) return undefined;
  const digits = isFraction ? text.slice(start, end).replace('.', '') : text.slice(start, end);
  const value = power === 0 ? BigInt(digits) : BigInt(digits) * (POWERS_OF_TEN[power] as bigint);
  return inRange(text.charCodeAt(0) === MINUS ? -value : value);
}

/** Whether the text is an optional sign and digits, no more than an int64 can have. */
function isPlainInteger(text: string): boolean {
  if (text.length > MAX_DIGITS + 1) return false;
  for (let i = text.charCodeAt(0) === MINUS ? 1 : 0; i < text.length; i++)
    if (!isDigit(text.charCodeAt(i))) return false;
  return true;
}

const isInt64 = (value: unknown): boolean =>
  typeof value === 'bigint' ? inRange(value) !== undefined : Number.isSafeInteger(value);

/** An int64 as `parseJson` returns it. The output is always a bigint, so that no digit is ever rounded. */
export const Int64 = v.pipe(
  v.custom<number | bigint>(isInt64, `must be a whole number from ${INT64_MIN} to ${INT64_MAX}`),
  v.transform((value) => BigInt(value)),
  v.metadata({ type: 'integer', format: 'int64' }),
);
