import { AnimalStoreError } from './errors.ts';

/** A response that has arrived completely. */
export interface ReceivedResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly requestId: string;
}

/** The value of a successful response, undefined if it has none. Throws the error that any other response means. */
export function readValue(response: ReceivedResponse): unknown {
  const { status, headers, text } = response;
  if (status === 204) return undefined;
  const type = headers.get('content-type') ?? 'no content type';
  if (!/^application\/json\s*(?:;|$)/i.test(type)) {
    throw unexpectedResponse(response, `is not JSON (${type})`);
  }
  let value: unknown;
  try {
    value = parseExact(text);
  } catch (cause) {
    throw unexpectedResponse(response, 'is not valid JSON', cause);
  }
  if (typeof value !== 'object' || value === null) throw unexpectedResponse(response, 'is not an object');
  if (status >= 200 && status < 300) return value;
  const { code, message } = value as Record<string, unknown>;
  if (typeof code === 'string' && typeof message === 'string') {
    throw new AnimalStoreError(message, { ...detailsOf(response), code });
  }
  throw unexpectedResponse(response, 'is not an error of the service');
}

export function unexpectedResponse(
  response: Omit<ReceivedResponse, 'text'>,
  what: string,
  cause?: unknown,
): AnimalStoreError {
  const message = `The response with status ${response.status} ${what}. Check baseUrl and any proxy on the way.`;
  return new AnimalStoreError(message, { ...detailsOf(response), code: 'unexpected_response', cause });
}

const detailsOf = ({ status, headers, requestId }: Omit<ReceivedResponse, 'text'>) => ({
  status,
  requestId: headers.get('x-request-id') ?? requestId,
  retryAfterMs: retryAfterMs(headers.get('retry-after')),
});

/** `Retry-After` is a number of seconds or an HTTP date. */
function retryAfterMs(header: string | null): number | undefined {
  if (header === null) return undefined;
  if (/^\d+$/.test(header)) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}

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
