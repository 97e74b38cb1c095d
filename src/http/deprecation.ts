import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { ApiError } from '../contract/errors.ts';
import { BASE_PATH, type Operation } from '../contract/operation.ts';
import { operations } from '../contract/operations.ts';

const announced = new Map(Object.values<Operation>(operations).map((one) => [one, headersOf(one)]));

/** What every answer of the operation carries, also a 401: nothing, unless it is deprecated. */
export function deprecationHeaders(operation: Operation): Readonly<Record<string, string>> {
  return announced.get(operation) ?? {};
}

/** An onRequest hook. */
export function announceDeprecation(
  request: FastifyRequest,
  reply: FastifyReply,
  done: HookHandlerDoneFunction,
): void {
  const { operation } = request.routeOptions.config;
  if (operation?.deprecated) reply.headers(deprecationHeaders(operation));
  done();
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

function headersOf({ deprecated }: Operation): Record<string, string> {
  if (!deprecated) return {};
  const { since, sunset, successor } = deprecated;
  return {
    deprecation: `@${Date.parse(since) / 1000}`,
    sunset: new Date(sunset).toUTCString(),
    link: `<${BASE_PATH}${successor}>; rel="successor-version", </openapi.json>; rel="deprecation"; type="application/json"`,
  };
}
