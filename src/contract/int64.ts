import * as v from 'valibot';

export const INT64_MIN = -(2n ** 63n);
export const INT64_MAX = 2n ** 63n - 1n;

/** The grammar of a number in JSON. */
export const JSON_NUMBER = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

const PLAIN = /^(?:0|-?[1-9]\d{0,18})$/;
const MAX_DIGITS = 19;
/** A double represents every integer of this many digits exactly. */
const SAFE_DIGITS = 15;
const POWERS_OF_TEN = Array.from({ length: MAX_DIGITS }, (_, power) => 10n ** BigInt(power));
const ZERO = 0x30;
const DOT = 0x2e;
const MINUS = 0x2d;
const UPPER_E = 0x45;
const LOWER_E = 0x65;

const inRange = (value: bigint): bigint | undefined =>
  BigInt.asIntN(64, value) === value ? value : undefined;

/** The integer of a path or query parameter, in plain decimal digits; undefined for any other text. */
export function int64FromText(text: string): bigint | undefined {
  if (!PLAIN.test(text)) return undefined;
  return inRange(BigInt(text));
}

/**
 * The integer that a number in JSON represents, decided by its text: `1.0` and `1e2` are whole, `1e-400` is
 * not, although a JavaScript number cannot tell it from 0. Undefined when not whole or out of range.
 */
export function int64FromJsonNumber(text: string): bigint | undefined {
  if (text.length <= SAFE_DIGITS) return fromShortNumber(text);
  return int64FromText(text) ?? fromLongNumber(text);
}

/** Reads the digits as one double, several times as fast as a regular expression does. */
function fromShortNumber(text: string): bigint | undefined {
  const negative = text.charCodeAt(0) === MINUS;
  let digits = 0;
  let zeros = 0;
  let perDigit = 0;
  for (let i = negative ? 1 : 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === DOT) perDigit = 1;
    else if (code === LOWER_E || code === UPPER_E) {
      zeros += Number(text.slice(i + 1));
      break;
    } else {
      digits = digits * 10 + code - ZERO;
      zeros -= perDigit;
    }
  }
  if (digits === 0) return 0n;
  for (; zeros < 0 && digits % 10 === 0; zeros++) digits /= 10;
  return scaled(negative ? -digits : digits, zeros);
}

function fromLongNumber(text: string): bigint | undefined {
  const { 1: sign = '', 2: whole = '', 3: fraction = '', 4: exponent = '0' } = JSON_NUMBER.exec(text) ?? [];
  const digits = `${whole}${fraction}`;
  let end = digits.length;
  while (end > 0 && digits.charCodeAt(end - 1) === ZERO) end--;
  if (end === 0) return 0n;
  let start = 0;
  while (digits.charCodeAt(start) === ZERO) start++;
  if (end - start > MAX_DIGITS) return undefined;
  return scaled(
    `${sign}${digits.slice(start, end)}`,
    Number(exponent) - fraction.length + digits.length - end,
  );
}

/** The digits with so many zeros appended; undefined for less than none. */
function scaled(digits: string | number, zeros: number): bigint | undefined {
  const power = POWERS_OF_TEN[zeros];
  return power === undefined ? undefined : inRange(BigInt(digits) * power);
}

const isInt64 = (value: unknown): boolean =>
  typeof value === 'bigint' ? inRange(value) !== undefined : Number.isSafeInteger(value);

/** An int64 as `parseJson` returns it. The output is always a bigint, so that no digit is ever rounded. */
export const Int64 = v.pipe(
  v.custom<number | bigint>(isInt64, `must be a whole number from ${INT64_MIN} to ${INT64_MAX}`),
  v.transform((value) => BigInt(value)),
  v.metadata({ type: 'integer', format: 'int64' }),
);
