import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { InferOutput } from 'valibot';
import { ApiError } from '../contract/errors.ts';
import type { Operation } from '../contract/operation.ts';
import { type Fields, type Validated, validate } from '../contract/validate.ts';
import { sendJson } from './json.ts';

const STRICT = /(?:^|,) *handling *= *"?strict"? *(?:[,;]|$)/i;

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
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Serves an operation of the contract at its path; the handler returns the JSON text of the answer. */
export function serve<const O extends Operation>(
  app: FastifyInstance,
  operation: O,
  handle: (call: Call<O>) => Promise<string>,
) {
  app.route({
    method: operation.method,
    url: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    config: { operation },
    handler: async (request, reply) => {
      const strict = STRICT.test(String(request.headers.prefer ?? ''));
      if (strict) reply.header('preference-applied', 'handling=strict');
      const { query, body } = accepted(operation, request, strict);
      const params = request.params as Record<string, string>;
      const text = await handle({ query, body, params, request, reply } as Call<O>);
      return sendJson(reply, operation.answer.status, text);
    },
  });
}

function accepted(operation: Operation, request: FastifyRequest, strict: boolean) {
  const query = validate(operation.query, request.query, strict);
  const body = operation.body
    ? bodyOf(operation.body, request.body, strict)
    : { value: undefined, problems: [] };
  const problems = [...query.problems, ...body.problems];
  if (problems.length > 0) {
    throw new ApiError(
      body.problems.length > 0 ? 'invalid_request' : 'invalid_parameter',
      `${problems.join('; ')}.`,
    );
  }
  return { query: query.value, body: body.value };
}

function bodyOf(schema: Fields, body: unknown, strict: boolean): Validated<unknown> {
  if (body === undefined) return { problems: ['the body is missing: send a JSON object'] };
  return validate(schema, body, strict);
}
