/** Strings, which are left alone, and numbers. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const MAY_ROUND = /^-?[1-9]\d{15,}$/;

/** Marks an integer that is parsed as text. The service never sends a string with NUL. */
const MARK = '\0';

/**
 * Parses a response body with every integer as an exact bigint. Long integers are put in quotes before the parse, because
 * Node 20 and older browsers have no other way to see their digits.
 */
export function parseExact(text: string): unknown {
  const quoted = text.replace(TOKEN, (token) => (MAY_ROUND.test(token) ? `"\\u0000${token}"` : token));
  return JSON.parse(quoted, (_key, value: unknown) => {
    if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value);
    return typeof value === 'string' && value.startsWith(MARK) ? BigInt(value.slice(1)) : value;
  });
}
