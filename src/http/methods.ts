import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../contract/errors.ts';

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
  app.addHook('onRequest', async (request, reply) => {
    if (request.is404) refuse(request, reply, allowed);
  });
  app.setNotFoundHandler(async (_request, reply) => reply.code(204).send());
}

function refuse(
  request: FastifyRequest,
  reply: FastifyReply,
  allowed: ReadonlyMap<string, Set<string>>,
): void {
  const path = request.url.split('?', 1)[0] as string;
  const methods = [...allowed].find(([url]) => matches(url, path))?.[1];
  if (!methods)
    throw new ApiError('not_found', 'There is no such path. The operations stand below /v1, as in /v1/pets.');
  const allow = [...methods, 'OPTIONS'].join(', ');
  reply.header('allow', allow);
  if (request.method === 'OPTIONS') return;
  throw new ApiError('method_not_allowed', `This path has no ${request.method}, only ${allow}.`);
}

function matches(route: string, path: string): boolean {
  const parts = path.split('/').map(decodeURIComponent);
  const pattern = route.split('/');
  return (
    parts.length === pattern.length &&
    pattern.every((part, i) => part === parts[i] || (part.startsWith(':') && parts[i] !== ''))
  );
}
