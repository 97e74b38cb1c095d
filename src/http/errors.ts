import type { FastifyBaseLogger, FastifyError, FastifyInstance } from 'fastify';
import { ApiError, errorJson } from '../contract/errors.ts';
import { tooLarge } from './body.ts';
import { sendJson } from './json.ts';
import type { Answer } from './operation.ts';

const RETRY_AFTER_SECONDS = '1';

/** The only place where an error becomes an answer. A fault of ours is logged whole. */
export function errorAnswer(
  error: FastifyError | Error,
  log: FastifyBaseLogger,
  requestId: string,
): Required<Answer> & { readonly status: number } {
  const known = toApiError(error);
  const { code, status, message, cause } = known;
  if (status >= 500) log.error({ requestId, err: cause ?? error, code }, message);
  const headers = code === 'unavailable' ? { 'retry-after': RETRY_AFTER_SECONDS } : {};
  return { status, text: errorJson(known), headers };
}

/** Has the framework answer what is thrown on its side. */
export function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError | Error, request, reply) => {
    const { status, text, headers } = errorAnswer(error, request.log, request.id);
    // The framework closes the connection after a body it did not like, into which the client may still be writing.
    if (reply.hasHeader('connection'))
      reply.header('connection', reply.raw.shouldKeepAlive ? 'keep-alive' : 'close');
    return sendJson(reply.headers(headers), status, text);
  });
}

/** An error of the framework in our words. One we do not know is a fault of ours; it tells nothing of the inside. */
function toApiError(error: FastifyError | Error): ApiError {
  if (error instanceof ApiError) return error;
  const { code, statusCode = 500 } = error as FastifyError;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return tooLarge();
  if (statusCode >= 400 && statusCode < 500) {
    return new ApiError('bad_request', `The request is not well-formed: ${error.message}`, { cause: error });
  }
  return new ApiError('internal_error', 'Something went wrong on our side.', { cause: error });
}
