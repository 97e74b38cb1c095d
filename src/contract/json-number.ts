/** Doubles distinguish all numbers of up to this many digits: such a number is an integer if and only if its double is. */
export const EXACT_DIGITS = 15;

/** With a smaller exponent, a number of few digits is not whole, and may be rounded to zero. */
const SMALLEST_EXPONENT = -200;
const INT64_DIGITS = 19;

const PLUS = 0x2b;
export const [MINUS, DOT, ZERO] = [0x2d, 0x2e, 0x30];
const [NINE, UPPER_E, LOWER_E] = [0x39, 0x45, 0x65];

/**
 * What a plain parse makes of a number:
 * - `integer`: an exact integer;
 * - `fraction`: the value says whether it is an integer; it may also be far too large;
 * - `neverWhole`: it is not an integer, but may become zero;
 * - `inexact`: possibly an integer that is rounded.
 */
type Kind = 'integer' | 'fraction' | 'neverWhole' | 'inexact';

/** `text` is valid JSON, and a number begins at `start`. */
export function endOfNumber(text: string, start: number): number {
  let end = start + 1;
  while (end < text.length && isInNumber(text.charCodeAt(end))) end++;
  return end;
}

export function kindOf(text: string, start: number, end: number): Kind {
  let digits = 0;
  /** How many of the digits are before the point. */
  let whole = 0;
  let isZero = true;
  let hasFraction = false;
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i);
    if (isDigit(code)) {
      if (++digits > EXACT_DIGITS) return 'inexact';
      if (code === ZERO) continue;
      isZero = false;
      if (whole > 0) hasFraction = true;
    } else if (code === DOT) whole = digits;
    else if (isE(code))
      return isZero ? 'integer' : kindOfPower(whole || digits, exponentAt(text, i + 1, end), text, start);
  }
  return hasFraction ? 'fraction' : 'integer';
}

/** The kind of a number other than zero with an exponent. */
function kindOfPower(whole: number, exponent: number, text: string, start: number): Kind {
  if (exponent < SMALLEST_EXPONENT) return 'neverWhole';
  if (whole + exponent <= EXACT_DIGITS) return 'fraction';
  const first = text.charCodeAt(text.charCodeAt(start) === MINUS ? start + 1 : start);
  return first !== ZERO && whole + exponent > INT64_DIGITS ? 'fraction' : 'inexact';
}

function exponentAt(text: string, start: number, end: number): number {
  const sign = text.charCodeAt(start);
  let exponent = 0;
  for (let i = sign === PLUS || sign === MINUS ? start + 1 : start; i < end; i++)
    exponent = exponent * 10 + text.charCodeAt(i) - ZERO;
  return sign === MINUS ? -exponent : exponent;
}

export const isDigit = (code: number): boolean => code >= ZERO && code <= NINE;
export const isE = (code: number): boolean => code === LOWER_E || code === UPPER_E;
const isInNumber = (code: number): boolean =>
  isDigit(code) || code === DOT || code === MINUS || code === PLUS || isE(code);

export const startsNumber = (code: number): boolean => isDigit(code) || code === MINUS;
