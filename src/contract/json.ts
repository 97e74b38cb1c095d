import { int64FromJsonNumber } from './int64.ts';

/** Only text that matches can contain a number that is not an integer, or that JSON.parse would round. Most bodies do not. */
const MAY_NEED_CARE = /\d{16}|\d[.eE]/;

/** Doubles distinguish all numbers of up to this many digits: such a number is an integer if and only if its double is. */
const EXACT_DIGITS = 15;

/**
 * The text of a placeholder is this prefix and a number of seven digits: small integers become text much faster than large
 * ones. The first of them is greater than every number that `replaceInexact` leaves in the text.
 */
const PREFIX = `1${'0'.repeat(EXACT_DIGITS - 7)}`;
const FIRST_INDEX = 1_000_000;
const FIRST_PLACEHOLDER = Number(`${PREFIX}${FIRST_INDEX}`);

type Exact = number | bigint;

const [QUOTE, BACKSLASH, PLUS, MINUS, DOT] = [0x22, 0x5c, 0x2b, 0x2d, 0x2e];
const [ZERO, NINE, UPPER_E, LOWER_E] = [0x30, 0x39, 0x45, 0x65];

/**
 * Parses JSON so that every int64 is exact: a safe integer is a number, a longer one a bigint. Any other number is NaN,
 * which no schema of the contract accepts. Takes time proportional to the length of the text, and throws RangeError
 * when a number that needs care is nested too deeply.
 */
export function parseJson(text: string): unknown {
  const parsed: unknown = JSON.parse(text);
  if (!MAY_NEED_CARE.test(text)) return parsed;
  const { replaced, exact, hasFraction } = replaceInexact(text);
  if (exact.length > 0) return restore(JSON.parse(replaced), exact);
  return hasFraction ? restore(parsed, exact) : parsed;
}

/**
 * Moves every number that a plain parse may round from the text, which is valid JSON, to `exact` and leaves a placeholder:
 * a number greater than any that stays in the text.
 */
function replaceInexact(text: string) {
  const exact: string[] = [];
  let replaced = '';
  let copied = 0;
  let hasFraction = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) i = endOfString(text, i);
    else if (isDigit(code) || code === MINUS) {
      const end = endOfNumber(text, i);
      const kind = kindOf(text, i, end);
      if (kind === 'fraction') hasFraction = true;
      else if (kind === 'inexact') {
        replaced += `${text.slice(copied, i)}${PREFIX}${FIRST_INDEX + exact.length}`;
        exact.push(text.slice(i, end));
        copied = end;
      }
      i = end - 1;
    }
  }
  return { replaced: replaced + text.slice(copied), exact, hasFraction };
}

function exactNumber(text: string): Exact {
  const exact = int64FromJsonNumber(text);
  if (exact === undefined) return Number.NaN;
  const number = Number(exact);
  return Number.isSafeInteger(number) ? number : exact;
}

function endOfString(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === BACKSLASH) i++;
    else if (code === QUOTE) return i;
  }
  return text.length;
}

function endOfNumber(text: string, start: number): number {
  let end = start + 1;
  while (end < text.length && isInNumber(text.charCodeAt(end))) end++;
  return end;
}

/**
 * What a plain parse makes of the number. It is exact about one of few digits, also once an exponent of one digit is
 * applied, and such a number can be a fraction only if a digit after its point is not zero.
 */
function kindOf(text: string, start: number, end: number): 'integer' | 'fraction' | 'inexact' {
  let digits = 0;
  let afterPoint = false;
  let hasFraction = false;
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i);
    if (isDigit(code)) {
      digits++;
      if (afterPoint && code !== ZERO) hasFraction = true;
    } else if (code === DOT) afterPoint = true;
    else if (isE(code)) {
      if (end - i !== 2) return 'inexact';
      digits += text.charCodeAt(i + 1) - ZERO;
      break;
    }
  }
  if (digits > EXACT_DIGITS) return 'inexact';
  return hasFraction ? 'fraction' : 'integer';
}

const isDigit = (code: number): boolean => code >= ZERO && code <= NINE;
const isE = (code: number): boolean => code === LOWER_E || code === UPPER_E;
const isInNumber = (code: number): boolean =>
  isDigit(code) || code === DOT || code === MINUS || code === PLUS || isE(code);

/** Puts the exact values where their placeholders are, and NaN in place of fractions. */
function restore(value: unknown, exact: readonly string[]): unknown {
  if (typeof value === 'number') return needsCare(value) ? exactValue(value, exact) : value;
  if (Array.isArray(value)) restoreItems(value, exact);
  else if (typeof value === 'object' && value !== null)
    restoreFields(value as Record<string, unknown>, exact);
  return value;
}

function restoreItems(items: unknown[], exact: readonly string[]): void {
  for (let i = 0; i < items.length; i++) {
    const item = items[i];
    if (typeof item === 'object') restore(item, exact);
    else if (typeof item === 'number' && needsCare(item)) items[i] = exactValue(item, exact);
  }
}

function restoreFields(fields: Record<string, unknown>, exact: readonly string[]): void {
  const names = Object.keys(fields);
  for (let i = 0; i < names.length; i++) {
    const name = names[i] as string;
    const item = fields[name];
    if (typeof item === 'object') restore(item, exact);
    else if (typeof item === 'number' && needsCare(item)) fields[name] = exactValue(item, exact);
  }
}

const needsCare = (value: number): boolean => value >= FIRST_PLACEHOLDER || !Number.isInteger(value);

function exactValue(value: number, exact: readonly string[]): Exact {
  const text = exact[value - FIRST_PLACEHOLDER];
  return text === undefined ? Number.NaN : exactNumber(text);
}
