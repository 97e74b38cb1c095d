import { type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import type { Refusal } from '../keys/ring.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The id of the API key that the request carries, once it is known. */
    keyId: string | undefined;
    /** Why its key was refused: told to the log, never to the caller. */
    refusal: Refusal | 'missing' | 'malformed' | undefined;
  }
}

/** One line a request, when it is answered. Never the key, the body, or a text that the client chose but its id. */
export class RequestLog extends LogController {
  constructor() {
    super({ requestIdLogLabel: 'requestId' });
  }

  override incomingRequest(): void {}

  override requestCompleted(
    error: Error | null | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): void {
    const { operation } = request.routeOptions.config;
    const line = {
      operation: operation?.id,
      method: request.method,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 1000) / 1000,
      keyId: request.keyId,
      refusal: request.refusal,
    };
    if (error) request.log.error({ ...line, err: error }, 'request');
    else request.log.info(line, 'request');
  }
}
