import { int64FromJsonNumber } from './int64.ts';

declare global {
  interface JSON {
    /** ECMAScript's source text access, which TypeScript's library does not declare yet. */
    parse(
      text: string,
      reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
    ): unknown;
  }
}

/** Only such text can hold a number that a plain parse would round. Most bodies hold none, and pay nothing. */
const MAY_ROUND = /\d{16}|\d[.eE]/;

/**
 * Parses JSON so that every integer is exact: a number that fits stays a number, a longer one is a bigint,
 * and one that is no int64 at all is NaN, which no schema of the contract accepts.
 */
export function parseJson(text: string): unknown {
  return MAY_ROUND.test(text) ? JSON.parse(text, exactNumber) : JSON.parse(text);
}

function exactNumber(_key: string, value: unknown, { source = '' }: { source?: string }): unknown {
  if (typeof value !== 'number') return value;
  const exact = int64FromJsonNumber(source);
  if (exact === undefined) return Number.NaN;
  return Number.isSafeInteger(Number(exact)) ? Number(exact) : exact;
}
