import type { FastifyInstance } from 'fastify';
import type { Operation } from '../contract/operation.ts';
import { operations } from '../contract/operations.ts';
import { valuesOf } from './headers.ts';
import { sendJson } from './json.ts';
import { accept, type Handler, type Handlers } from './operation.ts';
import { prefersStrict } from './prefer.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: Operation;
  }
}

/** Serves every operation of the contract at its path. */
export function serveOperations(app: FastifyInstance, handlers: Handlers): void {
  for (const operation of Object.values(operations)) {
    route(app, operation, handlers[operation.id] as Handler);
  }
}

function route(app: FastifyInstance, operation: Operation, handle: Handler): void {
  app.route({
    method: operation.method,
    url: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    config: { operation },
    handler: async (request, reply) => {
      const { url: target, query, body, keyId = '', raw } = request;
      const params = request.params as Record<string, string>;
      const strict = prefersStrict(request);
      if (strict) reply.header('preference-applied', 'handling=strict');
      const idempotencyKeys = operation.idempotent ? valuesOf(raw, 'idempotency-key') : [];
      const call = accept(operation, { target, params, query, body, strict, keyId, idempotencyKeys });
      const { text, headers } = await handle(call);
      if (headers) reply.headers(headers);
      return sendJson(reply, operation.answer.status, text);
    },
  });
}
