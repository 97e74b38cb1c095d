import { AnimalStoreError } from './errors.ts';

/** A response without its body. */
export interface ResponseHead {
  readonly status: number;
  readonly headers: Headers;
  readonly requestId: string;
}

/** The value of a successful response with this body, undefined if it has none. Throws the error that any other response means. */
export function readValue(response: ResponseHead, text: string): unknown {
  const { status, headers } = response;
  if (status === 204) return undefined;
  const type = headers.get('content-type') ?? 'no content type';
  if (!/^application\/json\s*(?:;|$)/i.test(type))
    throw unexpectedResponse(response, `is not JSON (${type})`);
  const value = parsePart(response, text);
  if (typeof value !== 'object' || value === null) throw unexpectedResponse(response, 'is not an object');
  if (status >= 200 && status < 300) return value;
  const { code, message } = value as Record<string, unknown>;
  if (typeof code === 'string' && typeof message === 'string')
    throw new AnimalStoreError(message, { ...detailsOf(response), code });
  throw unexpectedResponse(response, 'is not an error of the service');
}

/** The value of JSON text in a response. */
export function parsePart(response: ResponseHead, text: string): unknown {
  try {
    return parseExact(text);
  } catch (cause) {
    throw unexpectedResponse(response, 'is not valid JSON', cause);
  }
}

export function unexpectedResponse(response: ResponseHead, what: string, cause?: unknown): AnimalStoreError {
  const message = `The response with status ${response.status} ${what}. Check baseUrl and any proxy on the way.`;
  return new AnimalStoreError(message, { ...detailsOf(response), code: 'unexpected_response', cause });
}

const detailsOf = ({ status, headers, requestId }: ResponseHead) => ({
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

/**
 * Parses a response body with every integer as an exact bigint, because every integer of the interface is an int64. Throws on a runtime
 * that would round them.
 */
export function parseExact(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown, context?: { readonly source?: string }) => {
    if (typeof value !== 'number') return value;
    if (context?.source === undefined)
      throw new AnimalStoreError(
        'This runtime rounds identifiers: use Node 22, Chrome 114, Firefox 135, Safari 18.4 or later.',
        { code: 'unsupported_runtime' },
      );
    return /^-?\d+$/.test(context.source) ? BigInt(context.source) : value;
  });
}
