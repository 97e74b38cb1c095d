import { decodeCursor, encodeCursor } from '../contract/cursor.ts';
import { ApiError } from '../contract/errors.ts';
import type { Operation } from '../contract/operation.ts';
import type { Answer } from './operation.ts';

interface ListCall<Filter> {
  readonly operation: Operation;
  readonly target: string;
  readonly query: Filter & { readonly limit: number; readonly cursor?: string | undefined };
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
  { operation, target, query }: ListCall<Filter>,
  toJson: (items: readonly T[]) => string,
  fetch: (page: Page<Filter>) => Promise<T[]>,
): Promise<Answer> {
  const { limit, cursor, ...filter } = query;
  const scope = scopeOf(operation, filter);
  const before = cursor === undefined ? undefined : decodeCursor(scope, cursor);
  if (cursor !== undefined && before === undefined) {
    throw new ApiError(
      'invalid_parameter',
      'cursor belongs to another list or filter: begin again without it.',
    );
  }
  const items = await fetch({ ...filter, limit: limit + 1, before });
  const last = items[limit - 1];
  if (items.length <= limit || !last) return { text: toJson(items) };
  const link = nextLink(target, encodeCursor(scope, last.id));
  return { text: toJson(items.slice(0, limit)), headers: { link } };
}

function scopeOf({ id }: Operation, filter: object): string {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined);
  return [id, ...given.sort()].join('&');
}

/** Whether a part of a query is the cursor, also when its name is percent-encoded. */
function isCursor(part: string): boolean {
  return part.startsWith('cursor=') || (part.includes('%') && new URLSearchParams(part).has('cursor'));
}

/** The same address with every given parameter as it was, relative to the host that was asked. */
function nextLink(url: string, cursor: string): string {
  const [path, ...query] = url.replaceAll('<', '%3C').replaceAll('>', '%3E').split('?');
  const kept = query
    .join('?')
    .split('&')
    .filter((part) => part !== '' && !isCursor(part));
  return `<${path}?${[...kept, `cursor=${cursor}`].join('&')}>; rel="next"`;
}
