import * as v from 'valibot';
import { int64FromJsonNumber } from './int64.ts';
import { EXACT_DIGITS, endOfNumber, kindOf, startsNumber } from './json-number.ts';
import type { Fields } from './validate.ts';

/** Only text that matches can contain a number that is not an integer, or that JSON.parse would round. Most bodies do not. */
const MAY_NEED_CARE = /\d{16}|\d[.eE]/;

/**
 * The text of a placeholder is this prefix and a number of seven digits: small integers become text much faster than large
 * ones. No number that `replaceInexact` leaves in the text has such a value: they are smaller, or have 20 digits and more.
 */
const PREFIX = `1${'0'.repeat(EXACT_DIGITS - 7)}`;
const FIRST_INDEX = 1_000_000;
const FIRST_PLACEHOLDER = Number(`${PREFIX}${FIRST_INDEX}`);

/** Replaces a number that is not whole although JSON.parse would round it to zero. */
const FRACTION = '0.5';

type Exact = number | bigint;

const [QUOTE, BACKSLASH] = [0x22, 0x5c];

/**
 * Parses JSON so that every int64 is exact: a safe integer is a number, a longer one a bigint. Any other number is NaN,
 * which no schema of the contract accepts. Takes time proportional to the length of the text, and throws RangeError
 * when a number that needs care is nested too deeply.
 */
export function parseJson(text: string): unknown {
  const parsed: unknown = JSON.parse(text);
  if (!MAY_NEED_CARE.test(text)) return parsed;
  const { replaced, exact, hasFraction } = replaceInexact(text);
  if (replaced !== '') return restore(JSON.parse(replaced), exact);
  return hasFraction ? restore(parsed, exact) : parsed;
}

/**
 * Moves every number that JSON.parse may round from the text, which is valid JSON, to `exact`, and leaves a placeholder.
 * `replaced` is empty if the text needs no change.
 */
function replaceInexact(text: string) {
  const exact: string[] = [];
  let replaced = '';
  let copied = 0;
  let hasFraction = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) i = endOfString(text, i);
    else if (startsNumber(code)) {
      const end = endOfNumber(text, i);
      const kind = kindOf(text, i, end);
      if (kind === 'fraction') hasFraction = true;
      else if (kind !== 'integer') {
        const isNever = kind === 'neverWhole';
        replaced += text.slice(copied, i) + (isNever ? FRACTION : `${PREFIX}${FIRST_INDEX + exact.length}`);
        if (!isNever) exact.push(text.slice(i, end));
        copied = end;
      }
      i = end - 1;
    }
  }
  return { replaced: copied > 0 ? replaced + text.slice(copied) : '', exact, hasFraction };
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

const needsCare = (value: number): boolean =>
  Math.abs(value) >= FIRST_PLACEHOLDER || !Number.isInteger(value);

function exactValue(value: number, exact: readonly string[]): Exact {
  const text = exact[value - FIRST_PLACEHOLDER];
  return text === undefined ? Number.NaN : exactNumber(text);
}

/**
 * A function that writes an object of this schema as JSON: the fields of the schema in their order, and no others. JSON.stringify
 * refuses a bigint.
 */
export function jsonWriter<T>(schema: Fields<T>): (value: T) => string {
  const members = Object.entries(schema.entries).map(([name, field], i) => {
    const { type, isOptional } = unwrapped(field);
    if (i === 0 && isOptional) throw new Error(`${name} is the first field and so cannot be optional`);
    const start = `${i === 0 ? '{' : ','}${JSON.stringify(name)}:`;
    return { name: name as keyof T, start, textOf: textOf(name, type) };
  });
  return (value) => {
    let json = '';
    for (const { name, start, textOf } of members) {
      const field = value[name];
      if (field !== undefined) json += start + textOf(field as never);
    }
    return `${json}}`;
  };
}

/** A body of this many characters or bytes, or more, is large. */
export const LARGE_BODY = 32 * 1024;

/**
 * Encodes large JSON once for all requests that share it. Node would copy a text twice for each of them, and keep a copy for each
 * client that does not read.
 */
export const encodeIfLarge = (json: string): string | Buffer =>
  json.length < LARGE_BODY ? json : Buffer.from(json);

/** The type of a field, without the `optional` around it. A field with a default value is always present. */
function unwrapped(field: v.GenericSchema): { type: v.GenericSchema; isOptional: boolean } {
  if (!v.isOfType('optional', field)) return { type: field, isOptional: false };
  const { wrapped, default: value } = field as v.OptionalSchema<v.GenericSchema, unknown>;
  return { type: wrapped, isOptional: value === undefined };
}

/** Writes the value of a field. Only free text needs escaping. */
function textOf(name: string, type: v.GenericSchema): (value: never) => string {
  const { format } = v.getMetadata(type) as { format?: string };
  if (format === 'int64') return String;
  if (format === 'date-time' || v.isOfType('picklist', type)) return (value: string) => `"${value}"`;
  if (v.isOfType('string', type)) return (value: string) => JSON.stringify(value);
  throw new Error(`there is no JSON writer for ${name}, which is of type ${type.type}`);
}
