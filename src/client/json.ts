/** Strings, which are left alone, and numbers. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const LONG_INTEGER = /^-?\d{16,}$/;

/** Marks an integer that is parsed as a string. The service never sends a string with NUL. */
const MARK = '\0';

/**
 * Parses a response body with every integer as an exact bigint, because every integer of the interface is an int64.
 *
 * Long integers are put in quotes before the parse: Node 20 and older browsers have no other way to see their digits. The parser
 * of the contract decides about any JSON that a client may send; here one line is enough, since the service writes integers in
 * plain digits only.
 */
export function parseExact(text: string): unknown {
  // Text that is not JSON must not become JSON by the quotes, so it is parsed as it is first.
  if (/\d{16}/.test(text)) JSON.parse(text);
  const quoted = text.replace(TOKEN, (token) => (LONG_INTEGER.test(token) ? `"\\u0000${token}"` : token));
  return JSON.parse(quoted, (_key, value: unknown) => {
    if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value);
    return typeof value === 'string' && value.startsWith(MARK) ? BigInt(value.slice(1)) : value;
  });
}
