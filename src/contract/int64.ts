import * as v from 'valibot';

export const INT64_MIN = -(2n ** 63n);
export const INT64_MAX = 2n ** 63n - 1n;

const PLAIN = /^(?:0|-?[1-9]\d{0,18})$/;
const JSON_NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
const MOST_DIGITS = 19;

const inRange = (value: bigint): boolean => value >= INT64_MIN && value <= INT64_MAX;

/** The integer that `text` writes in plain decimal digits, as in a path; undefined for any other text. */
export function int64FromText(text: string): bigint | undefined {
  if (!PLAIN.test(text)) return undefined;
  const value = BigInt(text);
  return inRange(value) ? value : undefined;
}

/**
 * The integer that a JSON number stands for, decided on its text: `1.0` and `1e2` are whole, `1e-400` is
 * not, although a JavaScript number cannot tell it from 0. Undefined when not whole or out of range.
 */
export function int64FromJsonNumber(text: string): bigint | undefined {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = JSON_NUMBER.exec(text) ?? [];
  const digits = whole + fraction;
  let end = digits.length;
  while (end > 0 && digits[end - 1] === '0') end--;
  let start = 0;
  while (start < end && digits[start] === '0') start++;
  if (start === end) return digits === '' ? undefined : 0n;
  const zeros = Number(exponent) - fraction.length + (digits.length - end);
  if (zeros < 0 || end - start + zeros > MOST_DIGITS) return undefined;
  const value = BigInt(`${sign}${digits.slice(start, end)}${'0'.repeat(zeros)}`);
  return inRange(value) ? value : undefined;
}

const isInt64 = (value: unknown): boolean =>
  typeof value === 'bigint' ? inRange(value) : Number.isSafeInteger(value);

/** An int64 as `parseJson` reads it; bigint from here on, so that no digit is ever rounded. */
export const Int64 = v.pipe(
  v.custom<number | bigint>(isInt64, `must be a whole number from ${INT64_MIN} to ${INT64_MAX}`),
  v.transform((value) => BigInt(value)),
  v.metadata({ type: 'integer', format: 'int64' }),
);
