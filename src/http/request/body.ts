import { ApiError } from '../../contract/errors.ts';
import { parseJson } from '../../contract/json.ts';
import { limits } from '../../contract/limits.ts';
import { bodyTooLarge } from '../../contract/transport-errors.ts';
import type { RequestHeaders } from '../server/exchange.ts';
import type { HttpRequest } from './request.ts';

const APPLICATION_JSON = /^application\/json[ \t]*(?:;|$)/i;
const MERGE_PATCH = /^application\/merge-patch\+json[ \t]*(?:;|$)/i;
/** The types that PATCH accepts: its body is always a merge patch (RFC 7396). */
export const ACCEPT_PATCH = 'application/merge-patch+json, application/json';
const CHARSET = /;[ \t]*charset *= *"?([^";]*)/i;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The body of a request to an endpoint that takes one: JSON in UTF-8 of at most 64 KiB, with exact integers. Rejects what
 * it can from the headers, before reading the body. Undefined when it is empty.
 */
export function readBody({ received, method, headers, endpoint, answerHeaders }: HttpRequest): unknown {
  if (!endpoint.inputs.body) return undefined;
  checkHeaders(method, headers, answerHeaders);
  // Only now, so that no client sends a body without a valid key.
  if (received.httpVersion === '1.1' && headers.first('expect') !== undefined) received.sendContinue();
  const body = received.readBody();
  return body instanceof Promise ? body.then(parseBody) : parseBody(body);
}

function checkHeaders(method: string, headers: RequestHeaders, answerHeaders: string[]): void {
  const types = headers.all('content-type');
  if (types.length > 1)
    throw new ApiError('bad_request', 'The request must have at most one Content-Type header.');
  const [type] = types;
  const isPatch = method === 'PATCH';
  if (type !== undefined && !isJson(type) && !(isPatch && MERGE_PATCH.test(type) && isUtf8(type))) {
    if (isPatch) answerHeaders.push('accept-patch', ACCEPT_PATCH);
    throw unsupported(`be ${isPatch ? ACCEPT_PATCH.replace(',', ' or') : 'application/json'} in UTF-8`);
  }
  const encoding = headers.list('content-encoding');
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    answerHeaders.push('accept-encoding', 'identity');
    throw unsupported('not be compressed: send it without Content-Encoding');
  }
  if (Number(headers.first('content-length')) > limits.bodyBytes) throw bodyTooLarge();
}

const unsupported = (rule: string): ApiError =>
  new ApiError('unsupported_media_type', `The body must ${rule}.`);

const isJson = (type: string): boolean =>
  type === 'application/json' || (APPLICATION_JSON.test(type) && isUtf8(type));

const isUtf8 = (type: string): boolean => /^utf-?8$/i.test(CHARSET.exec(type)?.[1]?.trim() ?? 'utf-8');

function parseBody(body: Buffer): unknown {
  if (body.length === 0) return undefined;
  try {
    return parseJson(utf8.decode(body));
  } catch (error) {
    throw new ApiError('invalid_request', `The body ${problemOf(error)}.`, { cause: error });
  }
}

function problemOf(error: unknown): string {
  if (error instanceof RangeError) return 'is nested too deeply';
  if (error instanceof SyntaxError) return `is not valid JSON: ${error.message}`;
  return 'is not valid UTF-8';
}
