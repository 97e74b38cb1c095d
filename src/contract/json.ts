import { int64FromJsonNumber, JSON_NUMBER } from './int64.ts';

/** Only such text can hold a number that needs a closer look. Most bodies hold none, and pay nothing. */
const MAY_ROUND = /\d[\d.]{15}|\d[eE]/;

/** A double keeps every number of so many decimal digits apart: such a number is whole if and only if its double is. */
const EXACT_DIGITS = 15;

/** Greater than every number that `replaceInexact` leaves in the text. */
const FIRST_PLACEHOLDER = 10 ** EXACT_DIGITS;

type Exact = number | bigint;

const [QUOTE, BACKSLASH, PLUS, MINUS, DOT] = [0x22, 0x5c, 0x2b, 0x2d, 0x2e];
const [ZERO, NINE, UPPER_E, LOWER_E] = [0x30, 0x39, 0x45, 0x65];

/**
 * Parses JSON so that every int64 is exact: a safe integer is a number, a longer one a bigint. A number that is no
 * int64 is never a safe integer, also where a plain parse would round it to one, so no schema of the contract accepts
 * it. Takes time proportional to the length of the text.
 */
export function parseJson(text: string): unknown {
  if (!MAY_ROUND.test(text)) return JSON.parse(text);
  const exact: Exact[] = [];
  try {
    const parsed: unknown = JSON.parse(replaceInexact(text, exact));
    return exact.length === 0 ? parsed : restore(parsed, exact);
  } catch (error) {
    // The message must quote the text as it was sent.
    if (error instanceof SyntaxError) return JSON.parse(text);
    throw error;
  }
}

/**
 * Moves every number that a plain parse may round from the text to `exact` and leaves a placeholder, which is a number
 * greater than any that stays in the text. Unlike a string it is no valid key, so text that is not JSON does not
 * become JSON.
 */
function replaceInexact(text: string, exact: Exact[]): string {
  let replaced = '';
  let copied = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) i = endOfString(text, i);
    else if (isDigit(code) || code === MINUS) {
      const end = endOfNumber(text, i);
      if (!isExact(text, i, end)) {
        replaced += text.slice(copied, i) + (FIRST_PLACEHOLDER + exact.length);
        exact.push(exactNumber(text.slice(i, end)));
        copied = end;
      }
      i = end - 1;
    }
  }
  return replaced + text.slice(copied);
}

function exactNumber(text: string): Exact {
  if (!JSON_NUMBER.test(text)) throw new SyntaxError('not a JSON number');
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

/** Whether a plain parse keeps the number: it has few digits, also once an exponent of one digit is applied. */
function isExact(text: string, start: number, end: number): boolean {
  let digits = 0;
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i);
    if (isDigit(code)) digits++;
    else if (isE(code)) return end - i === 2 && digits + text.charCodeAt(i + 1) - ZERO <= EXACT_DIGITS;
  }
  return digits <= EXACT_DIGITS;
}

const isDigit = (code: number): boolean => code >= ZERO && code <= NINE;
const isE = (code: number): boolean => code === LOWER_E || code === UPPER_E;
const isInNumber = (code: number): boolean =>
  isDigit(code) || code === DOT || code === MINUS || code === PLUS || isE(code);

/** Puts the exact values where their placeholders are. Throws RangeError when the nesting is too deep. */
function restore(value: unknown, exact: readonly Exact[]): unknown {
  if (typeof value === 'number') return value < FIRST_PLACEHOLDER ? value : exact[value - FIRST_PLACEHOLDER];
  if (Array.isArray(value)) restoreItems(value, exact);
  else if (typeof value === 'object' && value !== null)
    restoreFields(value as Record<string, unknown>, exact);
  return value;
}

function restoreItems(items: unknown[], exact: readonly Exact[]): void {
  for (let i = 0; i < items.length; i++) {
    const item = items[i];
    if (typeof item === 'object') restore(item, exact);
    else if (typeof item === 'number' && item >= FIRST_PLACEHOLDER)
      items[i] = exact[item - FIRST_PLACEHOLDER];
  }
}

function restoreFields(fields: Record<string, unknown>, exact: readonly Exact[]): void {
  for (const name in fields) {
    const item = fields[name];
    if (typeof item === 'object') restore(item, exact);
    else if (typeof item === 'number' && item >= FIRST_PLACEHOLDER)
      fields[name] = exact[item - FIRST_PLACEHOLDER];
  }
}
