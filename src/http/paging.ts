import type { FastifyReply, FastifyRequest } from 'fastify';
import { decodeCursor, encodeCursor } from '../contract/cursor.ts';
import { ApiError } from '../contract/errors.ts';

interface Item {
  readonly id: bigint;
}

interface PageOf<T> {
  /** Names the list and its filter; a cursor is good for this very scope only. */
  readonly scope: string;
  readonly limit: number;
  readonly cursor: string | undefined;
  /** Items in descending order of id, from those below `before`. */
  readonly fetch: (limit: number, before: bigint | undefined) => Promise<T[]>;
}

/** One page of a list. When there are more items, the answer's Link header leads to the next page. */
export async function page<T extends Item>(
  request: FastifyRequest,
  reply: FastifyReply,
  list: PageOf<T>,
): Promise<T[]> {
  const { scope, limit, cursor } = list;
  const before = cursor === undefined ? undefined : decodeCursor(scope, cursor);
  if (cursor !== undefined && before === undefined) {
    throw new ApiError(
      'invalid_parameter',
      'cursor is broken or belongs to another list or filter: begin again without it.',
    );
  }
  const items = await list.fetch(limit + 1, before);
  const last = items[limit - 1];
  if (items.length > limit && last) reply.header('link', nextLink(request.url, encodeCursor(scope, last.id)));
  return items.slice(0, limit);
}

/** The same address with every given parameter kept, as a reference relative to the host that was asked. */
function nextLink(url: string, cursor: string): string {
  const [path, ...query] = url.split('?');
  const parameters = new URLSearchParams(query.join('?'));
  parameters.set('cursor', cursor);
  return `<${path}?${parameters}>; rel="next"`;
}
