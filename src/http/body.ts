import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from '../contract/errors.ts';
import { parseJson } from '../contract/json.ts';
import { kib, limits } from '../contract/limits.ts';

const APPLICATION_JSON = /^application\/json *(?:;|$)/i;
const CHARSET = /; *charset *= *"?([^";]*)/i;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Bodies are JSON in UTF-8 of at most 64 KiB, with exact integers. What can be refused unread is. */
export function acceptJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_: FastifyRequest, body: Buffer) =>
    parseBody(body),
  );

  app.addHook('preParsing', (request, reply, _payload, done) => {
    if (request.routeOptions.config.operation?.body !== undefined) {
      refuseUnread(request);
      // The client was not told to go on before: no body is sent without a valid key.
      if (request.headers.expect !== undefined) reply.raw.writeContinue();
    }
    done();
  });
}

function refuseUnread({ headers }: FastifyRequest): void {
  const type = headers['content-type'];
  if (type !== undefined && !isJson(type)) {
    throw new ApiError('unsupported_media_type', 'The body must be application/json in UTF-8.');
  }
  if ((headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity') {
    throw new ApiError(
      'unsupported_media_type',
      'The body must not be compressed: send it without Content-Encoding.',
    );
  }
  if ((headers['transfer-encoding'] ?? 'chunked').toLowerCase() !== 'chunked') {
    throw new ApiError(
      'unsupported_media_type',
      'The body must not be compressed: send it without a transfer coding.',
    );
  }
  if (Number(headers['content-length']) > limits.bodyBytes) throw tooLarge();
}

export const tooLarge = (): ApiError =>
  new ApiError('payload_too_large', `The body must not be larger than ${kib(limits.bodyBytes)}.`);

function isJson(type: string): boolean {
  return APPLICATION_JSON.test(type) && /^utf-?8$/i.test(CHARSET.exec(type)?.[1]?.trim() ?? 'utf-8');
}

/** Undefined for an empty body: whether one is needed is for the operation to say. */
export function parseBody(body: Buffer): unknown {
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
