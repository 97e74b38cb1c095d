import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../contract/errors.ts';
import { BASE_PATH, type Deprecation } from '../contract/operation.ts';

/** An onRequest hook: every answer of a deprecated operation says so, also a 401. */
export async function announceDeprecation(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const deprecated = request.routeOptions.config.operation?.deprecated;
  if (deprecated) reply.headers(headersOf(deprecated));
}

/** An onRequest hook for behind the key check, in place while an operator rehearses the removal. */
export async function refuseDeprecated(request: FastifyRequest): Promise<void> {
  const { operation } = request.routeOptions.config;
  if (!operation?.deprecated) return;
  throw new ApiError(
    'operation_removed',
    `${operation.id} is no longer served here. Use GET ${operation.deprecated.successor}.`,
  );
}

function headersOf({ since, sunset, successor }: Deprecation): Record<string, string> {
  return {
    deprecation: `@${Date.parse(since) / 1000}`,
    sunset: new Date(sunset).toUTCString(),
    link: `<${BASE_PATH}${successor}>; rel="successor-version", </openapi.json>; rel="deprecation"; type="application/json"`,
  };
}
