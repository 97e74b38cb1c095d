import type { FastifyReply, FastifyRequest } from 'fastify';
import { decodeCursor, encodeCursor } from '../contract/cursor.ts';
import { ApiError } from '../contract/errors.ts';

interface ListCall<Filter> {
  readonly query: Filter & { readonly limit: number; readonly cursor?: string | undefined };
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

type Page<Filter> = Omit<Filter, 'limit' | 'cursor'> & {
  readonly limit: number;
  readonly before: bigint | undefined;
};

/**
 * One page of a list. `fetch` gives items in descending order of id, from those below `before`. When there are more, the
 * answer's Link header leads to the next page, by a cursor that is good for this very list and filter only.
 */
export async function page<T extends { readonly id: bigint }, Filter>(
  { query, request, reply }: ListCall<Filter>,
  fetch: (page: Page<Filter>) => Promise<T[]>,
): Promise<T[]> {
  const { limit, cursor, ...filter } = query;
  const scope = scopeOf(request, filter);
  const before = cursor === undefined ? undefined : decodeCursor(scope, cursor);
  if (cursor !== undefined && before === undefined) {
    throw new ApiError(
      'invalid_parameter',
      'cursor belongs to another list or filter: begin again without it.',
    );
  }
  const items = await fetch({ ...filter, limit: limit + 1, before });
  const last = items[limit - 1];
  if (items.length > limit && last) reply.header('link', nextLink(request.url, encodeCursor(scope, last.id)));
  return items.slice(0, limit);
}

function scopeOf(request: FastifyRequest, filter: object): string {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined);
  return [request.routeOptions.config.operation?.id, ...given.sort()].join('&');
}

/** The same address with every given parameter as it was, relative to the host that was asked. */
function nextLink(url: string, cursor: string): string {
  const [path, ...query] = url.replaceAll('<', '%3C').replaceAll('>', '%3E').split('?');
  const kept = query
    .join('?')
    .split('&')
    .filter((part) => part !== '' && !new URLSearchParams(part).has('cursor'));
  return `<${path}?${[...kept, `cursor=${cursor}`].join('&')}>; rel="next"`;
}
