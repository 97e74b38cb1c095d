import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../contract/errors.ts';
import { BASE_PATH } from '../contract/operation.ts';

/**
 * Answers what no route matched: 405 with `Allow` when the path has other methods, 204 to OPTIONS, else 404. It
 * runs behind the key check of its prefix and before any body is read.
 */
export function answerUnmatched(app: FastifyInstance): void {
  const allowed = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    const methods = allowed.get(url) ?? new Set();
    for (const one of [method].flat()) methods.add(one);
    allowed.set(url, methods);
  });
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404) answer(request, reply, allowed);
    else done();
  });
  // Never reached, but without it the hooks above do not run for a path that no route has.
  app.setNotFoundHandler(() => {});
}

function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  allowed: ReadonlyMap<string, Set<string>>,
): FastifyReply {
  const path = request.url.split('?', 1)[0] as string;
  const methods = [...allowed].find(([url]) => matches(url, path))?.[1];
  if (!methods) {
    throw new ApiError(
      'not_found',
      `There is no such path. The operations stand below ${BASE_PATH}, as in ${BASE_PATH}/pets.`,
    );
  }
  const allow = [...methods, 'OPTIONS'].join(', ');
  reply.header('allow', allow);
  if (request.method === 'OPTIONS') return reply.code(204).send();
  throw new ApiError('method_not_allowed', `This path has no ${request.method}, only ${allow}.`);
}

function matches(route: string, path: string): boolean {
  const parts = path.split('/').map(decodeURIComponent);
  const pattern = route.split('/');
  return (
    parts.length === pattern.length && pattern.every((part, i) => part === parts[i] || part.startsWith(':'))
  );
}
