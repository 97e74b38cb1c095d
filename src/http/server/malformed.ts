import { ApiError, errorJson } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import { headersTooLarge, requestTooLate, targetTooLong } from '../../contract/transport-errors.ts';
import { JSON_TYPE } from '../answer.ts';

/** What node:http reports of bytes that it cannot read as a request. */
export interface ParserError extends Error {
  readonly code?: string;
  readonly rawPacket?: unknown;
}

/** The error to answer with, for a request that the parser gave up on or that did not arrive in time. */
export function fromParserError({ code, message, rawPacket }: ParserError): ApiError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return requestTooLate();
  if (code !== 'HPE_HEADER_OVERFLOW')
    return new ApiError('bad_request', `The request is not well-formed HTTP: ${message}`);
  return Buffer.isBuffer(rawPacket) && overflowsTarget(rawPacket.toString('latin1'))
    ? targetTooLong()
    : headersTooLarge();
}

/** Whether the part that grew too large is the request line. The parser does not tell, but in most cases the packet does. */
function overflowsTarget(packet: string): boolean {
  const [line = ''] = packet.split('\r\n', 1);
  const begins = /^[A-Z]+ /.test(line);
  if (/ HTTP\/\d\.\d$/.test(line)) return !begins || line.length > limits.targetBytes;
  return begins && !packet.includes('\n');
}

/** A whole response, for a connection on which node:http has no request to answer. */
export function rawResponse(error: ApiError, requestId: string): string {
  const body = errorJson(error);
  return [
    `HTTP/1.1 ${error.status} ${error.code}`,
    `Content-Type: ${JSON_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    `Date: ${new Date().toUTCString()}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
