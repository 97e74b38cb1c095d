import { decodeCursor, encodeCursor } from '../../contract/cursor.ts';
import { ApiError } from '../../contract/errors.ts';
import { type Answer, jsonAnswer } from '../response/answer.ts';

interface ListCall<Filter> {
  readonly request: { readonly query: string };
  readonly query: Filter & { readonly limit: number; readonly cursor?: string | undefined };
}

type Page<Filter> = Omit<Filter, 'limit' | 'cursor'> & {
  readonly limit: number;
  readonly before: bigint | undefined;
};

/**
 * One page of `list`. `fetch` gives items in descending order of id, from those below `before`. When there are more, the
 * answer's Link header leads to the next page, by a cursor that is valid for this list and filter only.
 */
export async function page<T extends { readonly id: bigint }, Filter>(
  list: string,
  { request, query }: ListCall<Filter>,
  toJson: (items: readonly T[]) => string,
  fetch: (page: Page<Filter>) => Promise<readonly T[]>,
): Promise<Answer> {
  const { limit, cursor, ...filter } = query;
  const scope = scopeOf(list, filter);
  const before = cursor === undefined ? undefined : decodeCursor(scope, cursor);
  if (cursor !== undefined && before === undefined) {
    throw new ApiError(
      'invalid_parameter',
      'cursor belongs to another list or filter: start again without it.',
    );
  }
  const items = await fetch({ ...filter, limit: limit + 1, before });
  if (latest?.items === items && latest.query === request.query) return latest.answer;
  const answer = answerOf(items);
  latest = { items, query: request.query, answer };
  return answer;

  function answerOf(items: readonly T[]): Answer {
    const last = items[limit - 1];
    if (items.length <= limit || !last) return jsonAnswer(200, toJson(items));
    const link = nextLink(request.query, encodeCursor(scope, last.id));
    return jsonAnswer(200, toJson(items.slice(0, limit)), 'link', link);
  }
}

/** The latest answer. Requests that shared a read have the same items, which are then written as JSON once. */
let latest:
  | { readonly items: readonly unknown[]; readonly query: string; readonly answer: Answer }
  | undefined;

function scopeOf(list: string, filter: object): string {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined);
  return [list, ...given.sort()].join('&');
}

/** Whether a part of a query is the cursor, even if its name is percent-encoded. */
function isCursor(part: string): boolean {
  return part.startsWith('cursor=') || (part.includes('%') && new URLSearchParams(part).has('cursor'));
}

/** The same list with every given parameter as it was. A query alone resolves below any path prefix of a proxy. */
function nextLink(query: string, cursor: string): string {
  const kept = query
    .replaceAll('<', '%3C')
    .replaceAll('>', '%3E')
    .split('&')
    .filter((part) => part !== '' && !isCursor(part));
  return `<?${[...kept, `cursor=${cursor}`].join('&')}>; rel="next"`;
}
