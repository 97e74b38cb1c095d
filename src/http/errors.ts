import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, errorJson } from '../contract/errors.ts';
import { tooLarge } from './body.ts';
import { sendJson } from './json.ts';

const RETRY_AFTER_SECONDS = 1;

/** The only place where an error becomes a response. */
export function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError | Error, request, reply) =>
    answer(toApiError(error), request, reply),
  );
}

function answer(error: ApiError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error.status >= 500) request.log.error({ err: error.cause ?? error, code: error.code }, error.message);
  // The framework closes the connection after a body it did not like, into which the client may still be writing.
  if (reply.hasHeader('connection'))
    reply.header('connection', reply.raw.shouldKeepAlive ? 'keep-alive' : 'close');
  if (error.code === 'unavailable') reply.header('retry-after', RETRY_AFTER_SECONDS);
  return sendJson(reply, error.status, errorJson(error));
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
