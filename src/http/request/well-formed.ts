import { ApiError } from '../../contract/errors.ts';
import { kib, limits } from '../../contract/limits.ts';
import type { HttpRequest } from './request.ts';

/** Refuses what HTTP forbids but Node's parser lets pass, and what will never arrive whole. */
export function checkWellFormed({ received, method, headers }: HttpRequest): void {
  if (received.target.length > limits.targetBytes) throw targetTooLong();
  if (received.httpVersion !== '1.1' && received.httpVersion !== '1.0')
    throw new ApiError('bad_request', 'The HTTP version must be 1.0 or 1.1.');
  const hosts = headers.all('host');
  if (hosts.length > 1 || (hosts.length === 0 && received.httpVersion === '1.1')) {
    throw new ApiError('bad_request', 'The request must have exactly one Host header.');
  }
  if (received.httpVersion === '1.0' && headers.first('transfer-encoding') !== undefined)
    throw new ApiError(
      'bad_request',
      'HTTP/1.0 has no chunked bodies. Send the length of the body, or use HTTP/1.1.',
    );
  const expect = headers.list('expect');
  if (expect !== undefined && expect.toLowerCase() !== '100-continue') {
    throw new ApiError(
      'bad_request',
      `The expectation "${expect}" of this ${method} cannot be met; only 100-continue can.`,
    );
  }
  if (received.failure) throw received.failure;
}

export const targetTooLong = (): ApiError =>
  new ApiError('uri_too_long', `The request target must not be longer than ${kib(limits.targetBytes)}.`);
