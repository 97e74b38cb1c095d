import { requestHeaders, responseHeaderNames } from '../../contract/headers.ts';
import type { HttpRequest } from '../request/request.ts';
import { allowedMethods } from '../request/route.ts';

/** Adds the headers that let a page of another origin make the request and read the answer. */
type Cors = (request: HttpRequest) => void;

const ALLOWED_HEADERS = ['Authorization', 'Content-Type', ...Object.keys(requestHeaders)].join(', ');
const EXPOSED_HEADERS = [...responseHeaderNames, 'Allow'].join(', ');
/** How long a browser may reuse the answer to a preflight. Chromium caps it at two hours. */
const MAX_AGE_SECONDS = '7200';

/**
 * Cross-origin access for these origins, or for every origin with `*`; undefined without any. It covers every answer,
 * including errors, so that a page can read what was wrong. Credentials are never allowed: the API key is a header that the page
 * sets itself.
 */
export function createCors(origins: readonly string[]): Cors | undefined {
  if (origins.length === 0) return undefined;
  const any = origins.includes('*');
  const allowed = new Set(origins);
  return (request) => {
    const { answerHeaders, headers, method } = request;
    // Caches must not give one origin the answer for another.
    if (!any) answerHeaders.push('vary', 'Origin');
    const origin = headers.first('origin');
    if (origin === undefined || !(any || allowed.has(origin))) return;
    answerHeaders.push('access-control-allow-origin', any ? '*' : origin);
    if (method === 'OPTIONS' && headers.first('access-control-request-method') !== undefined)
      answerHeaders.push(...preflightHeaders(request));
    else answerHeaders.push('access-control-expose-headers', EXPOSED_HEADERS);
  };
}

function preflightHeaders({ route }: HttpRequest): string[] {
  if (!route.endpoints) return [];
  return [
    ...['access-control-allow-methods', allowedMethods(route.endpoints)],
    ...['access-control-allow-headers', ALLOWED_HEADERS],
    ...['access-control-max-age', MAX_AGE_SECONDS],
  ];
}
