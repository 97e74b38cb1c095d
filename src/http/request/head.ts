import { randomUUID } from 'node:crypto';
import { ApiError } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import { targetTooLong, unknownVersion } from '../../contract/transport-errors.ts';
import type { ClientAddress } from './client-address.ts';
import type { HttpRequest, ReceivedRequest } from './request.ts';
import type { Routes } from './route.ts';

const SAFE_ID = /^[\w.:@+/=-]{1,128}$/;

/** Removes API keys from a text. */
type Mask = (text: string) => string;

const ORIGIN = /^https?:\/\/[^/?#]*/i;
/** Not allowed in a request. A client that sends one means the target before it. */
const FRAGMENT = /#.*/;

/** Gives the request its id and finds its endpoint. Refuses nothing, because a missing key is refused before anything else. */
export function identify(
  received: ReceivedRequest,
  routes: Routes,
  clientAddress: ClientAddress | undefined,
  mask: Mask,
): HttpRequest {
  const { method, headers } = received;
  const id = requestId(headers.all('x-request-id'), mask);
  const address = clientAddress?.(received) ?? received.remoteAddress;
  const target = requestTarget(received.target);
  const mark = target.indexOf('?');
  const path = decodePath(mark < 0 ? target : target.slice(0, mark));
  const query = mark < 0 ? '' : target.slice(mark + 1);
  const route = routes.find(path);
  const endpoint = route.endpoints?.get(method) ?? route.other;
  const answerHeaders = ['x-request-id', id, ...endpoint.headers];
  return {
    received,
    method,
    headers,
    id,
    address,
    path,
    query,
    route,
    endpoint,
    answerHeaders,
    key: undefined,
    refusal: undefined,
    targetKeyId: undefined,
  };
}

/** The client's own X-Request-Id when it is safe to log and to send back, else a new one. An API key is not safe. */
function requestId(sent: readonly string[], mask: Mask): string {
  const [id] = sent;
  const isSafe = sent.length === 1 && id !== undefined && SAFE_ID.test(id) && mask(id) === id;
  return isSafe ? id : randomUUID();
}

/**
 * The request target as a path with its query. The absolute form (`GET http://host/v1/pets`), which HTTP requires every
 * server to accept, loses its origin.
 */
function requestTarget(sent: string): string {
  const whole = sent.includes('#') ? sent.replace(FRAGMENT, '') : sent;
  if (whole.startsWith('/')) return whole;
  const target = whole.replace(ORIGIN, '');
  return target === '' ? '/' : target;
}

/**
 * The path with its percent-encoding decoded segment by segment; an encoded slash stays encoded and separates nothing. A
 * path with a broken encoding is taken literally: it names nothing, and is an ordinary 404 after the ordinary checks.
 */
function decodePath(path: string): string {
  if (!path.includes('%')) return path;
  try {
    const segments = path.split('/').map(decodeURIComponent);
    return segments.map((segment) => segment.replaceAll('/', '%2F')).join('/');
  } catch {
    return path;
  }
}

/** `uri-host [ ":" port ]` of RFC 9112, which may be empty. What is in brackets is not checked further. */
const HOST = /^(?:\[[\w.~!$&'()*+,;=:%-]+\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*)(?::\d*)?$/i;

/** Refuses what HTTP forbids but Node's parser lets pass, and what will never arrive whole. */
export function checkWellFormed({ received, method, headers }: HttpRequest): void {
  const { httpVersion } = received;
  if (received.target.length > limits.targetBytes) throw targetTooLong();
  if (httpVersion !== '1.1' && httpVersion !== '1.0') throw unknownVersion();
  const hosts = headers.all('host');
  if (hosts.length > 1 || (hosts.length === 0 && httpVersion === '1.1'))
    throw new ApiError('bad_request', 'The request must have exactly one Host header.');
  if (hosts.length === 1 && !HOST.test(hosts[0] as string))
    throw new ApiError(
      'bad_request',
      'The Host header must be a host name or an address, and perhaps a port.',
    );
  const coding = headers.list('transfer-encoding');
  if (coding !== undefined && httpVersion === '1.0')
    throw new ApiError(
      'bad_request',
      'HTTP/1.0 has no chunked bodies. Send the length of the body, or use HTTP/1.1.',
    );
  if (coding !== undefined && coding.toLowerCase() !== 'chunked')
    throw new ApiError('bad_request', 'The only transfer coding is chunked.', { status: 501 });
  const expect = headers.list('expect');
  if (expect !== undefined && expect.toLowerCase() !== '100-continue')
    throw new ApiError(
      'bad_request',
      `The expectation "${expect}" of this ${method} cannot be met; only 100-continue can.`,
      { status: 417 },
    );
  if (received.failure) throw received.failure;
}
