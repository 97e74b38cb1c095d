import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { InferOutput } from 'valibot';
import { ApiError } from '../contract/errors.ts';
import type { Operation } from '../contract/operation.ts';
import { type Fields, type Validated, validate } from '../contract/validate.ts';
import type { Created, Once } from '../store/store.ts';
import { idempotencyKey, onceOf } from './idempotency.ts';
import { sendJson } from './json.ts';
import { prefersStrict } from './prefer.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: Operation;
  }
}

/** What a handler is given: the parts of the request as the operation's row promises them. */
export interface Call<O extends Operation> {
  readonly query: InferOutput<O['query']>;
  readonly body: O['body'] extends Fields ? InferOutput<O['body']> : undefined;
  readonly params: Readonly<Record<string, string>>;
  /** Of an idempotent operation whose caller sent a key. */
  readonly once: Once | undefined;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

const NONE: Validated<undefined> = { value: undefined, problems: [] };

/** Serves an operation of the contract at its path; the handler returns the JSON text of the answer. */
export function serve<const O extends Operation>(
  app: FastifyInstance,
  operation: O,
  handle: (call: Call<O>) => Promise<string>,
): void {
  app.route({
    method: operation.method,
    url: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    config: { operation },
    handler: async (request, reply) => {
      const strict = prefersStrict(request);
      if (strict) reply.header('preference-applied', 'handling=strict');
      const params = request.params as Record<string, string>;
      const text = await handle({
        ...accepted(operation, request, strict),
        params,
        request,
        reply,
      } as Call<O>);
      return sendJson(reply, operation.answer.status, text);
    },
  });
}

/** The parts of the request, or every problem of them at once. */
function accepted(operation: Operation, request: FastifyRequest, strict: boolean) {
  const query = validate(operation.query, request.query, strict);
  const key = operation.idempotent ? idempotencyKey(request) : NONE;
  const body = operation.body ? bodyOf(operation.body, request.body, strict) : NONE;
  const problems = [...query.problems, ...key.problems, ...body.problems];
  if (problems.length > 0) {
    const code = body.problems.length > 0 ? 'invalid_request' : 'invalid_parameter';
    throw new ApiError(code, `${problems.join('; ')}.`);
  }
  const once =
    key.value === undefined ? undefined : onceOf(key.value, request.keyId ?? '', operation.id, body.value);
  return { query: query.value, body: body.value, once };
}

function bodyOf(schema: Fields, body: unknown, strict: boolean): Validated<unknown> {
  if (body === undefined) return { problems: ['the body is missing: send a JSON object'] };
  return validate(schema, body, strict);
}

/** What a create has made; the answer says when that was before. */
export function created<T>(reply: FastifyReply, { value, replayed }: Created<T>): T {
  if (replayed) reply.header('idempotent-replayed', 'true');
  return value;
}
