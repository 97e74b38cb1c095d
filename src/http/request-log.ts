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

/** Where lines of the log go. */
export interface LogOutput {
  write(line: string): void;
}

/** What is told of a request. Never the key, the body, or a text that the client chose but its id. */
export interface RequestLine {
  readonly requestId: string;
  readonly operation: string | undefined;
  readonly method: string;
  readonly status: number;
  readonly keyId: string | undefined;
  readonly refusal?: FastifyRequest['refusal'];
}

/**
 * One line a request, when it is answered, as the logger would write it, at a tenth of its price: no text in it needs
 * escaping.
 */
export function logRequest(output: LogOutput, line: RequestLine, ms: number): void {
  const { requestId, operation, method, status, keyId, refusal } = line;
  output.write(
    `{"level":30,"time":"${isoTime()}","requestId":"${requestId}"${field('operation', operation)},"method":"${method}","status":${status},"ms":${Math.round(ms * 1000) / 1000}${field('keyId', keyId)}${field('refusal', refusal)},"msg":"request"}\n`,
  );
}

const field = (name: string, value: string | undefined): string =>
  value === undefined ? '' : `,"${name}":"${value}"`;

let iso = '';
let isoAt = 0;

/** The time, spelled out once a millisecond. */
function isoTime(): string {
  const now = Date.now();
  if (now !== isoAt) iso = new Date(now).toISOString();
  isoAt = now;
  return iso;
}

/** Has the framework log as we do. */
export class RequestLog extends LogController {
  readonly #output: LogOutput;

  constructor(output: LogOutput) {
    super();
    this.#output = output;
  }

  override incomingRequest(): void {}

  override requestCompleted(
    error: Error | null | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): void {
    if (error) request.log.error({ requestId: request.id, err: error }, 'the answer could not be sent');
    const line = {
      requestId: request.id,
      operation: request.routeOptions.config.operation?.id,
      method: request.method,
      status: reply.statusCode,
      keyId: request.keyId,
      refusal: request.refusal,
    };
    logRequest(this.#output, line, reply.elapsedTime);
  }
}
