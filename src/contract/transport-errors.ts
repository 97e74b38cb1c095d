import { ApiError } from './errors.ts';
import { kib, limits } from './limits.ts';

// Errors for requests that are too large, too late, incomplete or sent during a shutdown, for all parts of the service that notice it.

/** An error of its own, so that metrics count these refusals separately. */
class Overloaded extends ApiError {
  override get reason(): string {
    return 'overloaded';
  }
}

/** Shared instances: the stack of an error costs as much as the rest of a refusal. */
export const OVERLOADED = new Overloaded('unavailable', 'The service is overloaded. Try again in a moment.');
export const TOO_MANY_BODIES = new Overloaded(
  'unavailable',
  'Too many request bodies are arriving at once. Try again in a moment.',
);

export const bodyTooLarge = (): ApiError =>
  new ApiError('payload_too_large', `The body must not be larger than ${kib(limits.bodyBytes)}.`);

export const targetTooLong = (): ApiError =>
  new ApiError('uri_too_long', `The request target must not be longer than ${kib(limits.targetBytes)}.`);

/** One error for both limits: when the parser gives up, it does not say which one it was. */
export const headersTooLarge = (): ApiError =>
  new ApiError(
    'headers_too_large',
    `A request must not have more than ${limits.headerCount} headers, nor more than ${kib(limits.headerBytes)} of them and the request line together.`,
  );

export const unknownVersion = (): ApiError =>
  new ApiError('bad_request', 'The HTTP version must be 1.0 or 1.1.', { status: 505 });

export const connectionLost = (): ApiError =>
  new ApiError('bad_request', 'The connection was closed before the whole request had arrived.');

export const tooManyChunks = (): ApiError =>
  new ApiError('bad_request', 'The body comes in too many small chunks. Send larger ones.');

export const requestTooLate = (): ApiError =>
  new ApiError('request_timeout', 'The request did not arrive in time.');

/** For what lasts longer than a shutdown: the client continues elsewhere. */
export const shuttingDown = (): ApiError => new ApiError('unavailable', 'The service is shutting down.');
