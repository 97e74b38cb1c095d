import { ApiError, errorJson } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import {
  headersTooLarge,
  requestTooLate,
  targetTooLong,
  unknownVersion,
} from '../../contract/transport-errors.ts';
import { JSON_TYPE } from '../answer.ts';
import { STATUS_CODES } from './node-internals.ts';

/** What node:http reports of bytes that it cannot read as a request. */
export interface ParserError extends Error {
  readonly code?: string;
  readonly rawPacket?: unknown;
}

/** The error to answer with, for a request that the parser gave up on or that did not arrive in time. */
export function fromParserError({ code, message, rawPacket }: ParserError): ApiError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return requestTooLate();
  const packet = Buffer.isBuffer(rawPacket) ? rawPacket.toString('latin1').trimStart() : '';
  const [line = ''] = packet.split('\r\n', 1);
  const isRequestLine = /^[!-~]+ .* HTTP\/\d\.\d$/.test(line);
  if (code === 'HPE_HEADER_OVERFLOW')
    return overflowsTarget(packet, line) ? targetTooLong() : headersTooLarge();
  if ((code === 'HPE_INVALID_METHOD' || message.includes('Invalid method')) && isRequestLine)
    return new ApiError('bad_request', 'The method of the request is unknown.', { status: 501 });
  if ((code === 'HPE_INVALID_VERSION' || code === 'HPE_PAUSED_H2_UPGRADE') && isRequestLine)
    return unknownVersion();
  return new ApiError('bad_request', `The request is not well-formed HTTP: ${message}`);
}

/** Whether the part that grew too large is the request line. The parser does not say, but in most cases the packet shows it. */
function overflowsTarget(packet: string, line: string): boolean {
  const begins = /^[A-Z]+ /.test(line);
  if (/ HTTP\/\d\.\d$/.test(line)) return !begins || line.length > limits.targetBytes;
  return begins && !packet.includes('\n');
}

/** A whole response, for a connection on which node:http has no request to answer. */
export function rawResponse(error: ApiError, requestId: string): string {
  const body = errorJson(error);
  return [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`,
    `Content-Type: ${JSON_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    `Date: ${new Date().toUTCString()}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
